"""The second layout: every line with the id by which it can be looked up, and who it comes from.

A layout is never changed once contexts were recorded with it: their bytes could not be made again.
"""

import re
from collections.abc import Sequence

from backstory.domain.assembly.material import Material, Rules, Work, speaker
from backstory.domain.events import DecisionNoticed, DecisionRecorded
from backstory.domain.records import Goal, Item
from backstory.domain.tracking.entities import Mention, by_kind
from backstory.domain.values import from_microseconds

OLDER_HEADING = "## Earlier items that may matter now"
CONTEXT_OPENS, CONTEXT_CLOSES = "<context>", "</context>"
_TAG = re.compile(r"<\s*(/?)\s*context\s*>", re.IGNORECASE)


def rules(material: Material, chosen: Rules) -> str:
    """Constraints, decisions, the current task and what is to be remembered."""
    blocks = []
    if chosen.constraints:
        lines = [_line(f"C{c}", material.text(material.state.constraints[c])) for c in chosen.constraints]
        blocks.append(block("Constraints", lines))
    if chosen.decisions:
        blocks.append(block("Decisions", [_decision(material, decision) for decision in chosen.decisions]))
    if chosen.task is not None:
        task = material.state.tasks[chosen.task]
        lines = [_line(chosen.task, material.text(task.text))]
        lines += [f"  - done when: {flat(material.text(place))}" for place in task.acceptance_criteria]
        blocks.append(block("Current task", lines))
    if chosen.pins:
        lines = [older(material, material.state.items[pin]) for pin in chosen.pins]
        blocks.append(block("To be remembered", lines))
    return "\n\n".join(blocks)


def _decision(material: Material, decision: int) -> str:
    body = material.events[decision].body
    assert isinstance(body, DecisionRecorded | DecisionNoticed)
    text = _line(f"D{decision}", material.said_in(decision, body.text) or "")
    if body.decided_by is not None:
        text += f" (by {body.decided_by})"
    if isinstance(body, DecisionNoticed):
        notes = {note.id: note for note in material.state.decisions}
        if decision in notes and not notes[decision].confirmed:
            text += " (noticed, not confirmed)"
    rationale = material.said_in(decision, body.rationale)
    return f"{text}\n  because: {flat(rationale)}" if rationale else text


def summary(material: Material, item: int) -> str:
    return "\n".join(part.data.decode(errors="replace") for part in material.messages[item][0].parts[:1])


def work(material: Material, chosen: Work) -> str:
    """Goals, the files in focus, open actions and questions."""
    blocks = []
    state = material.state
    if chosen.goals:
        blocks.append(block("Goals", goal_lines(material, chosen.goals)))
    if state.focus.files:
        files = ", ".join(state.focus.files)
        edited = f"; last edited: {state.focus.last_edited}" if state.focus.last_edited else ""
        function = f"; in: {state.focus.current_function}" if state.focus.current_function else ""
        blocks.append(block("Files", [f"- {files}{edited}{function}"]))
    if chosen.actions:
        blocks.append(block("Next actions", [action_line(material, action) for action in chosen.actions]))
    if chosen.questions:
        blocks.append(block("Open questions", [question_line(material, q) for q in chosen.questions]))
    return "\n\n".join(blocks)


def goal_lines(material: Material, goals: Sequence[int]) -> list[str]:
    """Each goal, its sub-goals below it."""
    below: dict[int | None, list[int]] = {}
    for goal in goals:
        parent = material.state.goals[goal].parent
        below.setdefault(parent if parent in goals else None, []).append(goal)
    lines: list[str] = []
    waiting = [(goal, 0) for goal in reversed(below.get(None, []))]
    while waiting:
        goal, depth = waiting.pop()
        lines.append("  " * min(depth, 8) + _goal(material, goal, material.state.goals[goal]))
        waiting += [(child, depth + 1) for child in reversed(below.get(goal, []))]
    return lines


def _goal(material: Material, goal: int, record: Goal) -> str:
    by = f", set by {record.agent}" if record.agent else ""
    return f"{_line(f'G{goal}', material.text(record.text))} ({record.status}, {record.priority}{by})"


def action_line(material: Material, action: int) -> str:
    record = material.state.actions[action]
    notes = [record.priority]
    if record.assignee:
        notes.append(f"for {record.assignee}")
    if record.due is not None:
        notes.append(f"due {from_microseconds(record.due):%Y-%m-%d %H:%M} UTC")
    line = f"{_line(f'A{action}', material.text(record.text))} ({', '.join(notes)})"
    return f"{line}\n  waits for: {flat(material.text(record.blocked_by))}" if record.blocked_by else line


def question_line(material: Material, question: int) -> str:
    record = material.state.questions[question]
    by = f", asked by {record.asked_by}" if record.asked_by else ""
    line = f"{_line(f'Q{question}', material.text(record.text))} ({record.priority}{by})"
    return f"{line}\n  context: {flat(material.text(record.context))}" if record.context else line


def entities(shown: Sequence[Mention]) -> str:
    if not shown:
        return ""
    return block(
        "Mentioned", [f"- {kind}: {', '.join(names)}" for kind, names in by_kind(shown).items() if names]
    )


def older(material: Material, item: Item) -> str:
    """One item in plain words."""
    return (
        f"- [{item.id}] {speaker(item)}, {item.brought_at:%Y-%m-%d %H:%M}: {flat(material.item_text(item))}"
    )


def said(material: Material, item: Item) -> str:
    """One message of the conversation, in markdown."""
    return f"**{speaker(item)}**: {flat(material.item_text(item))}"


def block(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {heading}", *lines])


def _line(name: str, text: str) -> str:
    return f"- [{name}] {flat(text)}"


def flat(text: str) -> str:
    """The text as part of a line: further lines are set in and the frame's tags are spelled otherwise, so that no
    quotation passes for a part of the context or for its end."""
    return _TAG.sub(r"‹\1context›", text.strip()).replace("\n", "\n  ")
