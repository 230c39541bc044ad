"""Rebuilds a recorded context from its event, from a database or from an exported file."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backstory.application.contents.source import ItemSource, load_left
from backstory.application.context.mentions import mentioned_in
from backstory.application.context.render import compose, layout_of
from backstory.domain.commands.memory import project_id
from backstory.domain.context.composition import Composed
from backstory.domain.context.loaded_items import Chosen, Rules, Work
from backstory.domain.events import ContextAssembled, MaterialGathered
from backstory.domain.log.ranges import from_ranges
from backstory.domain.state import ContextState
from backstory.domain.tasks.material import TaskMaterial, parts_of
from backstory.domain.tasks.render import FreshParts, compose_fresh

Sections = dict[str, tuple[int, ...]]


class Gone(NamedTuple):
    """What of a context was erased: items, each with the name of its part, and memories and files of the project."""

    items: dict[int, str]
    memories: tuple[int, ...] = ()
    files: tuple[int, ...] = ()
    """Versions of the project that hold texts of files."""


def rebuild(item_reader: ItemSource, body: ContextAssembled) -> Composed | Gone:
    """Rebuilds a recorded context from its event. The reader is that of the state the context was made of. Where
    contents were erased, returns what is gone."""
    if body.material is not None:
        return _rebuild_fresh(item_reader, body, body.material)
    state = item_reader.loaded.state
    sections = {section.name: from_ranges(section.items) for section in body.sections}
    shown = {section.name: section.shown for section in body.sections}
    chosen = _chosen(state, sections, shown, body.agent)
    item_reader.versions([*chosen.rules.decisions, *_places(state, chosen)])
    further = [version for section in body.sections for version in from_ranges(section.further)]
    left = (item for item in (*chosen.older, *chosen.earlier) if item not in state.items)
    load_left(item_reader, left, further)
    said = (*chosen.system, *chosen.rules.pins, *chosen.history, *sections.get("entities", ()))
    item_reader.items((*said, *chosen.artifacts, *chosen.older, *chosen.earlier, *chosen.summaries))
    if body.project is not None:
        item_reader.memories(project_id(body.project), chosen.memories)
    gone = Gone(
        _gone(state, item_reader, chosen, sections),
        tuple(memory for memory in chosen.memories if memory not in item_reader.loaded.memories),
    )
    if any(gone):
        return gone
    most = shown.get("entities")
    entities = mentioned_in(item_reader, sections.get("entities", ()), most, body.extractor) if most else ()
    complete = Chosen(**{**chosen.__dict__, "entities": entities})
    return compose(body.format, layout_of(body.renderer), item_reader.loaded, complete, body.agent)


def _rebuild_fresh(item_reader: ItemSource, body: ContextAssembled, version: int) -> Composed | Gone:
    parts = fresh_parts(item_reader, body, version)
    return parts if isinstance(parts, Gone) else compose_fresh(body.format, parts)


def fresh_parts(item_reader: ItemSource, body: ContextAssembled, version: int) -> FreshParts | Gone:
    """The parts of a task's fresh context, from the version that holds its material."""
    material = material_at(item_reader, version)
    if material is None:
        return Gone({version: "material"})
    memories = material.project_memories
    if body.project is not None:
        project = project_id(body.project)
        item_reader.project_texts(project, material.places)
        item_reader.memories(project, memories)
    loaded = item_reader.loaded
    lost = sorted({place[0] for place in material.places if place not in loaded.project_texts})
    forgotten = [memory for memory in memories if memory not in loaded.memories]
    if lost or forgotten:
        return Gone({}, tuple(forgotten), tuple(lost))
    return parts_of(material, loaded.project_texts, loaded.memories)


def material_at(item_reader: ItemSource, version: int) -> TaskMaterial | None:
    """The material that a version holds; None where it was erased."""
    item_reader.versions([version])
    gathered = item_reader.loaded.events[version].body
    assert isinstance(gathered, MaterialGathered)
    text = item_reader.loaded.texts.get((version, gathered.material.part))
    return None if text is None else TaskMaterial.model_validate_json(text)


def _chosen(
    state: ContextState, sections: Sections, shown: Mapping[str, int | None], agent: str | None
) -> Chosen:
    """The items of each part, told apart by what they were in the state."""
    rules, work = sections.get("rules", ()), sections.get("state", ())
    decisions = {note.id for note in state.decisions}
    return Chosen(
        system=_system_order(state, sections.get("system", ())),
        rules=Rules(
            constraints=tuple(item for item in rules if item in state.constraints),
            decisions=tuple(item for item in rules if item in decisions),
            pins=sections.get("pins", ()),
        ),
        task=state.current_task if "task" in sections else None,
        summaries=sections.get("summary", ()),
        summary_lines=shown.get("summary") or 0,
        history=sections.get("history", ()),
        result_characters=shown.get("history"),
        work=Work(
            role=(agent or "") if "role" in sections else None,
            goals=tuple(item for item in work if item in state.goals),
            actions=tuple(item for item in work if item in state.actions),
            questions=tuple(item for item in work if item in state.questions),
            files=shown.get("state") or 0,
        ),
        older=sections.get("older", ()),
        earlier=sections.get("earlier", ()),
        memories=sections.get("memory", ()),
        artifacts=sections.get("artifacts", ()),
    )


def _system_order(state: ContextState, system: Sequence[int]) -> tuple[int, ...]:
    """The prompt that was set stands before the system messages, whenever it was set."""
    return tuple(sorted(system, key=lambda item: (item != state.system_prompt, item)))


def _places(state: ContextState, chosen: Chosen) -> list[int]:
    """The versions that hold the texts of constraints, task, goals, actions and questions."""
    places = [state.constraints[item] for item in chosen.rules.constraints]
    if chosen.task is not None:
        task = state.tasks[chosen.task]
        places += [task.text, *task.acceptance_criteria]
    places += [state.goals[goal].text for goal in chosen.work.goals]
    for action in chosen.work.actions:
        places += filter(None, (state.actions[action].text, state.actions[action].blocked_by))
    for question in chosen.work.questions:
        places += filter(None, (state.questions[question].text, state.questions[question].context))
    return [version for version, _ in places]


def _gone(state: ContextState, item_reader: ItemSource, chosen: Chosen, sections: Sections) -> dict[int, str]:
    """The items of the context that were erased since, with the part that each was in."""
    gone: dict[int, str] = {}
    texts = item_reader.loaded.texts
    for name, items in sections.items():
        for item in items if name != "memory" else ():
            if item in item_reader.erased:
                gone.setdefault(item, name)
    told = {item: [state.constraints[item]] for item in chosen.rules.constraints}
    if chosen.task is not None:
        task = state.tasks[chosen.task]
        told[task.item] = [task.text, *task.acceptance_criteria]
    for decision in chosen.rules.decisions:
        body = item_reader.loaded.events[decision].body
        refs = [ref for name in ("text", "rationale") if (ref := getattr(body, name, None)) is not None]
        told[decision] = [(decision, ref.part) for ref in refs]
    for item, places in told.items():
        if any(place not in texts for place in places):
            gone.setdefault(item, "rules")
    for kinds, records in (
        (chosen.work.goals, state.goals),
        (chosen.work.actions, state.actions),
        (chosen.work.questions, state.questions),
    ):
        for item in kinds:
            record = records[item]
            needed = [record.text, getattr(record, "blocked_by", None), getattr(record, "context", None)]
            if any(place is not None and place not in texts for place in needed):
                gone.setdefault(item, "state")
    return gone
