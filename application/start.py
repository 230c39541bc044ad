"""The start of a session."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import OpenSession, SessionHandle
from backstory.application.identifiers import new_session_id, session_id
from backstory.application.runtime import Runtime
from backstory.application.safety.policy import screen_of_project
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request, key_of
from backstory.domain.commands import facts
from backstory.domain.effects import WindowSettings
from backstory.domain.errors import SessionDiffers, VersionConflict
from backstory.domain.events import SessionForked, SessionStarted
from backstory.domain.log.guards import Guard
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW, aware, build, label, listed
from backstory.infrastructure.llm.tokens import check_encoding

KEYED_STARTS = UUID("0c6e2f5b-6d0e-5a57-9c0e-6b6a52f0a4f7")
"""The namespace of the ids of sessions that are started under an idempotency key."""


def start_session(
    runtime: Runtime,
    id: UUID | str | None,
    *,
    title: str | None,
    tags: Sequence[str],
    project: str | None,
    window: Mapping[str, Any],
    actor: str | None,
    occurred: datetime | None,
    key: str | None,
) -> SessionHandle:
    """Starts a session, or opens the one that has this id already. `window` has the settings of its main window."""
    stream = _new_id(runtime, key) if id is None else session_id(id)
    if window["encoding"] is not None:
        check_encoding(window["encoding"])
    bundle = ContentBundle(screen_of_project(runtime, project))
    settings = build(WindowSettings, name=MAIN_WINDOW, **window)
    change = facts.start_session(bundle.optional("title", title), listed("tags", tags), project, settings)
    provenance = Provenance(
        actor=runtime.agent(None if actor is None else label("actor", actor)),
        occurred_at=aware("occurred", occurred),
    )
    request = Request(bundle, change, provenance)
    try:
        done = runtime.append(
            stream,
            [request.pending(change)],
            guard=Guard(expected=0),
            epoch=None,
            key=key_of([request], None if key is None else label("key", key)),
            kind="session",
            certain=True,
        )
    except VersionConflict:
        handle = SessionHandle.of(runtime, stream)
        if title is not None:
            _require_title(handle, title)
        if project is not None:
            _require_project(handle, project)
        return handle
    if done.repeated:
        return SessionHandle.of(runtime, stream)
    return SessionHandle(
        runtime, stream, OpenSession(0, {MAIN_WINDOW: window["encoding"] or DEFAULT_ENCODING})
    )


def _new_id(runtime: Runtime, key: str | None) -> UUID:
    """The id of a new session. Under the same key of the same caller it is the same."""
    if key is None:
        return new_session_id()
    return uuid5(KEYED_STARTS, json.dumps([runtime.caller.name, label("key", key)]))


def _require_title(handle: SessionHandle, title: str) -> None:
    """Refuses a session that neither was started with this title nor has it now."""
    runtime, stream = handle.runtime, handle.id
    log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
    reader, first = ContentReader(runtime, log), log[-1].first
    places = {runtime.reader.state(stream).title} - {None}
    started = reader.events([first])[first].body
    if isinstance(started, SessionStarted | SessionForked) and started.title is not None:
        places.add((first, started.title.part))
    titles = reader.texts(place for place in places if place is not None)
    # A title that was erased cannot be compared.
    if title not in titles.values() and len(titles) == len(places):
        raise SessionDiffers(f"title: session {stream} exists and was started with another title.")


def _require_project(handle: SessionHandle, project: str) -> None:
    """Refuses a session that neither was started in this project nor belongs to it now."""
    runtime, stream = handle.runtime, handle.id
    log = runtime.reader.log_of(stream, runtime.require_head(stream).version)
    first = log[-1].first
    started = ContentReader(runtime, log).events([first])[first].body
    known = {runtime.reader.state(stream).labels.get("project"), getattr(started, "project", None)}
    if project not in known:
        raise SessionDiffers(f"project: session {stream} exists and was started in another project.")
