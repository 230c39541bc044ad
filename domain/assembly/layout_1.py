"""The first layout: the hot context as the Quaid document's `to_markdown` has it, without ids.

A layout is never changed once contexts were recorded with it: their bytes could not be made again.
"""

from collections.abc import Sequence

from backstory.domain.assembly.material import Material, Rules, Work, speaker
from backstory.domain.events import DecisionNoticed, DecisionRecorded
from backstory.domain.records import Item
from backstory.domain.tracking.entities import Mention, by_kind

OLDER_HEADING = "## Relevant Context"
CONTEXT_OPENS, CONTEXT_CLOSES = "# Current Context", ""

_ICONS = {"pending": "⏳", "in-progress": "🔄", "complete": "✅"}


def rules(material: Material, chosen: Rules) -> str:
    state, blocks = material.state, []
    if chosen.decisions:
        blocks.append("\n".join(["## Key Decisions", *(_decision(material, d) for d in chosen.decisions)]))
    if chosen.constraints:
        lines = [f"- {material.text(state.constraints[constraint])}" for constraint in chosen.constraints]
        blocks.append("\n".join(["## Important Constraints", *lines]))
    if chosen.task is not None:
        blocks.append(f"## Current Task\n- {material.text(state.tasks[chosen.task].text)}")
    if chosen.pins:
        lines = [f"- {material.item_text(state.items[pin])}" for pin in chosen.pins]
        blocks.append("\n".join(["## Remember", *lines]))
    return "\n\n".join(blocks)


def _decision(material: Material, decision: int) -> str:
    body = material.events[decision].body
    assert isinstance(body, DecisionRecorded | DecisionNoticed)
    rationale = material.said_in(decision, body.rationale)
    text = f"- {material.said_in(decision, body.text)}"
    return f"{text}\n  *Rationale: {rationale}*" if rationale else text


def summary(material: Material, item: int) -> str:
    text = "\n".join(part.data.decode(errors="replace") for part in material.messages[item][0].parts[:1])
    return f"## Session Summary\n\n{text}"


def work(material: Material, chosen: Work) -> str:
    state, blocks = material.state, []
    if chosen.goals:
        goals = [state.goals[goal] for goal in chosen.goals]
        lines = [f"- {_ICONS.get(goal.status, '')} {material.text(goal.text)}" for goal in goals]
        blocks.append("\n".join(["## Active Goals", *lines]))
    if state.focus.files:
        blocks.append("\n".join(["## Current Files", *(f"- {path}" for path in state.focus.files)]))
    if chosen.actions:
        lines = [f"- {material.text(state.actions[action].text)}" for action in chosen.actions]
        blocks.append("\n".join(["## Pending Actions", *lines]))
    if chosen.questions:
        lines = [f"- {material.text(state.questions[question].text)}" for question in chosen.questions]
        blocks.append("\n".join(["## Open Questions", *lines]))
    return "\n\n".join(blocks)


def entities(shown: Sequence[Mention]) -> str:
    named = [f"- {kind}: {', '.join(names)}" for kind, names in by_kind(shown).items() if names]
    return "\n".join(["## Key Entities", *named]) if named else ""


def older(material: Material, item: Item) -> str:
    return f"- {speaker(item)}: {material.item_text(item)}"


def said(material: Material, item: Item) -> str:
    return f"**{speaker(item)}**: {material.item_text(item)}"
