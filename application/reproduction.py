"""A recorded context made again from the log, byte for byte, and the way from a decision to what the model saw."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.composing import compose, entities_in, layout_of
from backstory.contents import ContentReader
from backstory.context import Context, Missing, Reproduction
from backstory.core import Core
from backstory.domain.assembly.material import Chosen, Rules, Work
from backstory.domain.errors import InvalidInput, NotFound, UnknownVersion
from backstory.domain.events import (
    ContentErased,
    ContextAssembled,
    DecisionNoticed,
    Event,
    ModelCalled,
)
from backstory.domain.events.conversation import Said
from backstory.domain.lineage import Lineage
from backstory.domain.ranges import from_ranges
from backstory.domain.state import ContextState
from backstory.domain.values import checked_version
from backstory.gathering import Gatherer


def reproduce(core: Core, stream: UUID, version: int) -> Reproduction:
    """The context that was recorded at a version, made again."""
    log = core.reader.log_of(stream, core.require_head(stream).version)
    event, body = _assembled(core, log, version)
    owner = event.stream
    state = core.reader.state(owner, body.at)
    gatherer = Gatherer(core, owner, state, erasure=None)
    sections = {section.name: from_ranges(section.items) for section in body.sections}
    chosen = _chosen(state, sections)
    places = _places(state, chosen)
    gatherer.versions([*chosen.rules.decisions, *places])
    said = (*chosen.system, *chosen.rules.pins, *chosen.history, *sections.get("entities", ()), *chosen.older)
    gatherer.items((*said, *((chosen.summary,) if chosen.summary is not None else ())))
    missing = _missing(core, log, state, gatherer, chosen, sections)
    if missing:
        return _answer(version, body, missing=missing)
    shown = next((one.shown for one in body.sections if one.name == "entities"), None)
    entities = entities_in(gatherer, sections.get("entities", ()), shown, body.extractor) if shown else ()
    complete = Chosen(**{**chosen.__dict__, "entities": entities})
    composed = compose(body.format, layout_of(body.renderer), gatherer.material, complete)
    return _answer(version, body, context=Context.of(composed, owner, version, body))


def _answer(
    version: int, body: ContextAssembled, *, missing: tuple[Missing, ...] = (), context: Context | None = None
) -> Reproduction:
    found = context.sha256 if context is not None else None
    return Reproduction(
        version=version,
        at=body.at,
        format=body.format,
        ok=found == body.prompt_sha256,
        expected=body.prompt_sha256,
        found=found,
        missing=missing,
        context=context,
    )


def assembled_tokens(core: Core, stream: UUID, assembly: Context | int) -> int:
    """The tokens of a context that the session recorded, or that it has from the one it was forked from."""
    if not isinstance(assembly, Context):
        log = core.reader.log_of(stream, core.require_head(stream).version)
        return _assembled(core, log, checked_version("assembly", assembly))[1].tokens
    if assembly.version is None:
        raise InvalidInput("assembly", "was a preview, which is not recorded")
    if assembly.session != stream:
        log = core.reader.log_of(stream, core.require_head(stream).version)
        inherited = log.contains(assembly.version) and log.owner(assembly.version) == assembly.session
        if not inherited:
            raise InvalidInput("assembly", "must be a context of this session, and is of another one")
    return assembly.tokens


def _assembled(core: Core, log: Lineage, version: int) -> tuple[Event, ContextAssembled]:
    if not log.contains(version):
        raise UnknownVersion(
            f"version {version} does not exist: the session has versions 1 to {log[-1].last}."
        )
    event = ContentReader(core, log).events([version])[version]
    if not isinstance(event.body, ContextAssembled):
        raise NotFound(f"version {version} is {event.type}, not an assembled context.")
    return event, event.body


def _chosen(state: ContextState, sections: dict[str, tuple[int, ...]]) -> Chosen:
    """The items of each part, told apart by what they were in the state."""
    rules, work = sections.get("rules", ()), sections.get("state", ())
    decisions = {note.id for note in state.decisions}
    task = state.current_task
    summary = sections.get("summary", ())
    return Chosen(
        system=_system_order(state, sections.get("system", ())),
        rules=Rules(
            constraints=tuple(item for item in rules if item in state.constraints),
            decisions=tuple(item for item in rules if item in decisions),
            task=task if task is not None and state.tasks[task].item in rules else None,
            pins=sections.get("pins", ()),
        ),
        summary=summary[0] if summary else None,
        history=sections.get("history", ()),
        work=Work(
            *(
                tuple(item for item in work if item in kind)
                for kind in (state.goals, state.actions, state.questions)
            )
        ),
        older=sections.get("older", ()),
    )


def _system_order(state: ContextState, system: Sequence[int]) -> tuple[int, ...]:
    """The prompt that was set stands before the system messages, whenever it was set."""
    return tuple(sorted(system, key=lambda item: (item != state.system_prompt, item)))


def _places(state: ContextState, chosen: Chosen) -> list[int]:
    """The versions that hold the texts of constraints, task, goals, actions and questions."""
    places = [state.constraints[item] for item in chosen.rules.constraints]
    if chosen.rules.task is not None:
        task = state.tasks[chosen.rules.task]
        places += [task.text, *task.acceptance_criteria]
    places += [state.goals[goal].text for goal in chosen.work.goals]
    for action in chosen.work.actions:
        places += filter(None, (state.actions[action].text, state.actions[action].blocked_by))
    for question in chosen.work.questions:
        places += filter(None, (state.questions[question].text, state.questions[question].context))
    return [version for version, _ in places]


def _missing(
    core: Core,
    log: Lineage,
    state: ContextState,
    gatherer: Gatherer,
    chosen: Chosen,
    sections: dict[str, tuple[int, ...]],
) -> tuple[Missing, ...]:
    """What of the context was erased since."""
    gone: dict[int, str] = {}
    texts = gatherer.material.texts
    for name, items in sections.items():
        for item in items:
            if item in gatherer.erased:
                gone.setdefault(item, name)
    told = {item: [state.constraints[item]] for item in chosen.rules.constraints}
    if chosen.rules.task is not None:
        task = state.tasks[chosen.rules.task]
        told[task.item] = [task.text, *task.acceptance_criteria]
    for decision in chosen.rules.decisions:
        body = gatherer.material.events[decision].body
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
    if not gone:
        return ()
    versions = {item: state.items[item].versions if item in state.items else (item,) for item in gone}
    erasures = _erasures(core, {log.owner(v) for held in versions.values() for v in held})
    return tuple(
        Missing(item, gone[item], next((erasures[v] for v in versions[item] if v in erasures), None))
        for item in sorted(gone)
    )


def _erasures(core: Core, owners: set[UUID]) -> dict[int, int]:
    """When each content was erased: its own session's log tells, also of what a fork has inherited."""
    found: dict[int, int] = {}
    for owner in owners:
        log = core.reader.log_of(owner, core.require_head(owner).version)
        for event in ContentReader(core, log).events_of_type(ContentErased.type):
            if isinstance(event.body, ContentErased):
                found.update({version: event.version for version, _ in event.body.erased})
    return found


class Saw(NamedTuple):
    """From a decision to the prompt behind it. What the log does not tell is None, and `gap` says what it is."""

    version: int
    message: int | None
    call: int | None
    model: str | None
    assembly: int | None
    reproduction: Reproduction | None
    gap: str | None


def saw(core: Core, stream: UUID, version: int) -> Saw:
    """What the model saw before it decided this: decision → message → call → assembly → exact prompt. Any message,
    call or context may be asked about as well."""
    log = core.reader.log_of(stream, core.require_head(stream).version)
    if not log.contains(version):
        raise UnknownVersion(
            f"version {version} does not exist: the session has versions 1 to {log[-1].last}."
        )
    branch = core.reader.lineage(stream, core.require_head(stream).version)
    # A cause may stand on a branch that was left since: the call was made all the same.
    everything = ContentReader(core, log)
    event = everything.events([version])[version]
    message, call = _message_behind(everything, event), None
    if isinstance(event.body, ModelCalled):
        call = event
    elif isinstance(event.body, ContextAssembled):
        return Saw(version, None, None, None, version, reproduce(core, stream, version), None)
    elif message is not None:
        naming = ContentReader(core, branch) if branch.contains(version) else everything
        call = _call_behind(everything, naming, message)
    found = message.version if message is not None else None
    if call is None:
        what = (
            "no message is named as its cause"
            if message is None
            else "no model call is linked to its message"
        )
        return Saw(version, found, None, None, None, None, what)
    body = call.body
    assert isinstance(body, ModelCalled)
    if body.assembly is None:
        return Saw(
            version, found, call.version, body.model, None, None, "the call names no assembled context"
        )
    made = reproduce(core, stream, body.assembly)
    return Saw(version, found or body.message, call.version, body.model, body.assembly, made, None)


def _message_behind(reader: ContentReader, event: Event) -> Event | None:
    """The message that an event comes from: itself, the one it was noticed in, or its cause."""
    seen: set[int] = set()
    while event.version not in seen:
        seen.add(event.version)
        if isinstance(event.body, Said | ModelCalled):
            return event if isinstance(event.body, Said) else None
        cause = event.body.source if isinstance(event.body, DecisionNoticed) else event.cause
        if cause is None or cause >= event.version:
            return None
        event = reader.events([cause])[cause]
    return None


def _call_behind(everything: ContentReader, naming: ContentReader, message: Event) -> Event | None:
    """The call that led to a message: its cause, or the first call after it that names it."""
    if message.cause is not None and message.cause < message.version:
        cause = everything.events([message.cause])[message.cause]
        if isinstance(cause.body, ModelCalled):
            return cause
    for call in naming.events_of_type(ModelCalled.type):
        if not isinstance(call.body, ModelCalled) or call.version < message.version:
            continue
        if call.body.message == message.version:
            return call
    return None
