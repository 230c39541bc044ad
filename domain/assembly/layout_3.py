"""The third layout: the second one, with as many of the files in focus as there is room for.

A layout is never changed once contexts were recorded with it: their bytes could not be made again. What this one has
of the second one may be taken from there for that reason.
"""

from backstory.domain.assembly.layout_2 import (
    CONTEXT_CLOSES,
    CONTEXT_OPENS,
    OLDER_HEADING,
    action_line,
    block,
    entities,
    flat,
    goal_lines,
    older,
    question_line,
    rules,
    said,
    summary,
)
from backstory.domain.assembly.material import Material, Work

__all__ = [
    "CONTEXT_CLOSES",
    "CONTEXT_OPENS",
    "OLDER_HEADING",
    "entities",
    "older",
    "rules",
    "said",
    "summary",
    "work",
]


def work(material: Material, chosen: Work) -> str:
    """Goals, files in focus, open actions and questions."""
    blocks = []
    if chosen.goals:
        blocks.append(block("Goals", goal_lines(material, chosen.goals)))
    if chosen.files:
        focus = material.state.focus
        files = ", ".join(map(flat, focus.files[: chosen.files]))
        edited = f"; last edited: {flat(focus.last_edited)}" if focus.last_edited else ""
        function = f"; in: {flat(focus.current_function)}" if focus.current_function else ""
        blocks.append(block("Files", [f"- {files}{edited}{function}"]))
    if chosen.actions:
        blocks.append(block("Next actions", [action_line(material, action) for action in chosen.actions]))
    if chosen.questions:
        blocks.append(block("Open questions", [question_line(material, q) for q in chosen.questions]))
    return "\n\n".join(blocks)
