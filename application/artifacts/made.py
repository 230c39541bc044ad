"""Artifacts that have no file: what the record tells of a project's sessions, clarifications and versions."""

from collections.abc import Iterator
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.queries.session_list import SessionFilter, read_sessions
from backstory.application.runtime import Runtime
from backstory.domain.artifacts.selectors import CLARIFICATIONS, SUMMARIES
from backstory.domain.events import (
    ArtifactRegistered,
    ArtifactRemoved,
    MessageAdded,
    QuestionAnswered,
    QuestionAsked,
)
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.state import ContextState

MOST_SESSIONS = 20
"""The newest sessions of the project that are told of."""
MOST_ENTRIES = 200
CLARIFICATION = "clarification"


def made_text(handle: SessionHandle, name: str, project: ContextState, artifact: str) -> str:
    """The text of an artifact that has no file; empty where there is nothing to tell of."""
    runtime = handle.runtime
    if artifact == CLARIFICATIONS:
        return "\n".join(_clarifications(runtime, handle.id, name))
    if artifact == SUMMARIES:
        return "\n\n".join(_summaries(runtime, handle.id, name))
    return "\n".join(_versions(runtime, project))


def _sessions(runtime: Runtime, name: str) -> list[tuple[UUID, str, str]]:
    """The newest sessions of a project, oldest first, with their days and titles."""
    found = read_sessions(runtime, SessionFilter(project=name), MOST_SESSIONS)
    return [
        (one.id, f"{one.started_at:%Y-%m-%d}", one.title or f"session {one.id.hex[-12:]}")
        for one in reversed(found)
    ]


def _summaries(runtime: Runtime, own: UUID, name: str) -> Iterator[str]:
    for session, day, title in _sessions(runtime, name):
        state = runtime.reader.state(session)
        if session == own or state.summary is None or state.summary.item in state.quarantined:
            continue
        place = (state.summary.item, 0)
        text = ContentReader.on_branch(runtime, session, state.version).texts([place]).get(place)
        if text:
            yield f"# {day} {title}\n\n{text}"


def _clarifications(runtime: Runtime, own: UUID, name: str) -> Iterator[str]:
    """Questions with their answers, and messages of kind `clarification`, of this session and the others."""
    for session, day, title in _sessions(runtime, name):
        state = runtime.reader.state(session)
        reader = ContentReader.on_branch(runtime, session, state.version)
        lines = list(_clarified(reader, state))[-MOST_ENTRIES:]
        if lines:
            yield from (f"# {day} {title}", *lines)


def _clarified(reader: ContentReader, state: ContextState) -> Iterator[str]:
    events = reader.events_of_type(QuestionAsked.type, QuestionAnswered.type, MessageAdded.type)
    asked = {event.version: event.body for event in events if isinstance(event.body, QuestionAsked)}
    wanted = [
        event
        for event in events
        if isinstance(event.body, QuestionAsked | QuestionAnswered)
        or (isinstance(event.body, MessageAdded) and event.body.kind == CLARIFICATION)
    ]
    contents = reader.bytes_of(event.version for event in wanted)

    def text(version: int, part: int) -> str:
        return " ".join(contents.get((version, part), b"(erased)").decode(errors="replace").split())

    for event in wanted:
        body = event.body
        item = event.effects.brings
        if event.version in state.quarantined or (item is not None and item.private):
            continue
        if isinstance(body, QuestionAnswered) and body.question in asked:
            question = asked[body.question]
            yield f"- Q: {text(body.question, question.text.part)}"
            answer = getattr(body, "answer", None)
            if answer is not None:
                yield f"  A: {text(event.version, answer.part)}"
        elif isinstance(body, MessageAdded):
            said = (ref.content.part for ref in body.parts)
            yield f"- {event.actor or body.role}: {' '.join(text(event.version, part) for part in said)}"


def _versions(runtime: Runtime, project: ContextState) -> Iterator[str]:
    """The registrations of artifacts, oldest first."""
    if not project.version:
        return
    reader = ContentReader(runtime, Lineage([VersionRange(project.stream, 1, project.version)]))
    events = reader.events_of_type(ArtifactRegistered.type, ArtifactRemoved.type)
    for event in events[-MOST_ENTRIES:]:
        body, at = event.body, f"{event.occurred_at:%Y-%m-%d %H:%M}"
        by = f" by {event.actor}" if event.actor else ""
        if isinstance(body, ArtifactRegistered):
            facts = "" if body.digest is None else f", {body.size:,} bytes, {body.digest[:12]}"
            yield f"- {at} {body.artifact} {body.name}{facts}{by}"
        elif isinstance(body, ArtifactRemoved):
            yield f"- {at} {body.artifact} removed{by}"
