"""The registration of artifacts: one by one, from files, from the project's configuration."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from backstory.application.artifacts.registry import artifact_policy
from backstory.application.handle import SessionHandle
from backstory.application.writing.requests import Request
from backstory.domain import events as e
from backstory.domain.artifacts.recognition import recognized
from backstory.domain.artifacts.values import ArtifactDraft, FileFacts
from backstory.domain.errors import BackstoryError, InvalidInput, Refused
from backstory.domain.events.base import Change
from backstory.domain.messages.contents import Part
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.records import ArtifactNote
from backstory.domain.safety.secret_files import is_secret_file
from backstory.domain.safety.secrets import secrets_in
from backstory.domain.state import ContextState
from backstory.domain.values import build, from_microseconds, microseconds
from backstory.infrastructure.llm.tokens import count_parts
from backstory.infrastructure.project_files import ProjectFile, matching, read_below

AT_ONCE = 200
"""Registrations of one append."""


class Skipped(NamedTuple):
    """An artifact or a file that was passed over, and the reason."""

    name: str
    why: str


class Scanned(NamedTuple):
    """The result of a scan."""

    registered: tuple[str, ...]
    """Artifacts that are new or whose file has changed."""
    unchanged: int
    skipped: tuple[Skipped, ...]


def read_text(root: Path, path: str, policy: ArtifactPolicy) -> ProjectFile:
    """A file that may be loaded: text, not too large, and without secrets."""
    if is_secret_file(path):
        raise Refused(f"{path!r} is a file for secrets, by its name.")
    file = read_below(root, path, policy.most_bytes)
    if b"\0" in file.data:
        raise Refused(f"{path!r} is binary.")
    try:
        file.data.decode()
    except UnicodeDecodeError:
        raise Refused(f"{path!r} is not text in UTF-8.") from None
    if not file.data:
        raise Refused(f"{path!r} is empty.")
    found = secrets_in(file.data, by_form=True)
    if found:
        raise Refused(f"{path!r} holds a secret ({found[0].kind}).")
    return file


def facts_of(file: ProjectFile, encoding: str) -> FileFacts:
    """What is registered of a file."""
    return FileFacts(
        size=len(file.data),
        tokens=count_parts([Part("text", file.data, "text/plain")], encoding),
        digest=file.digest,
        modified=file.modified,
    )


def known_facts(note: ArtifactNote) -> FileFacts | None:
    """What is registered of a file."""
    if note.digest is None or note.size is None or note.tokens is None or note.modified is None:
        return None
    modified = from_microseconds(note.modified)
    return FileFacts(size=note.size, tokens=note.tokens, digest=note.digest, modified=modified)


def registration(handle: SessionHandle, draft: ArtifactDraft, facts: FileFacts | None) -> Request:
    """The write of a registration."""
    bundle = handle.bundle()
    known = {} if facts is None else dict(facts)
    body = build(
        e.ArtifactRegistered,
        artifact=draft.id,
        artifact_type=draft.type,
        name=draft.name,
        path=draft.path,
        load_layer=draft.load_layer,
        project_layer=draft.layer,
        summary=bundle.optional("summary", draft.summary),
        clarity=draft.clarity,
        parent=draft.parent,
        children=draft.children,
        related=draft.related,
        **known,
    )
    return Request(bundle, Change(body), handle.provenance)


def renewed(note: ArtifactNote, artifact: str, told: str | None, /, **changes: Any) -> ArtifactDraft:
    """A registration as it is, but for some fields. `told` is its summary."""
    fields = {
        "id": artifact,
        "type": note.type,
        "name": note.name,
        "path": note.path,
        "load_layer": note.load_layer,
        "project_layer": note.project_layer,
        "summary": told,
        "clarity": note.clarity,
        "parent": note.parent,
        "children": note.children,
        "related": note.related,
    }
    return build(ArtifactDraft, **fields | changes)


def scan(
    handle: SessionHandle,
    state: ContextState,
    root: Path,
    patterns: Sequence[str],
    fields: dict[str, Any],
    summaries: dict[str, str | None],
) -> Scanned:
    """Registers the files below a root that fit a pattern. One that is registered already keeps its links, and gets
    what has changed of its file."""
    policy = artifact_policy(state)
    by_path = {note.path: id for id, note in state.artifacts.items() if note.path is not None}
    taken = dict.fromkeys(state.artifacts)
    requests, registered = list[Request](), list[str]()
    skipped, unchanged = list[Skipped](), 0
    paths = list(matching(root, patterns))
    if len(paths) > policy.most_scanned:
        raise InvalidInput(
            "patterns", f"fit {len(paths):,} files, and one scan registers {policy.most_scanned:,} at most"
        )
    for path in paths:
        try:
            file = read_text(root, path, policy)
            known = by_path.get(path)
            draft = (
                renewed(state.artifacts[known], known, summaries.get(known), **fields)
                if known is not None
                else _new(path, file, fields)
            )
        except BackstoryError as error:
            skipped.append(Skipped(path, str(error)))
            continue
        if known is None and draft.id in taken:
            skipped.append(Skipped(path, f"another file is {draft.id}"))
            continue
        taken[draft.id] = None
        facts = facts_of(file, handle.encoding())
        if known is not None and is_registered(state.artifacts[known], draft, facts, summaries.get(known)):
            unchanged += 1
            continue
        requests.append(registration(handle, draft, facts))
        registered.append(draft.id)
    write(handle, requests)
    return Scanned(tuple(registered), unchanged, tuple(skipped))


def write(handle: SessionHandle, requests: Sequence[Request]) -> None:
    """Appends registrations, many at once. The idempotency key stands for the first of them."""
    for start in range(0, len(requests), AT_ONCE):
        handle.append(requests[start : start + AT_ONCE], key=handle.key if start == 0 else None)


def is_registered(
    note: ArtifactNote, draft: ArtifactDraft, facts: FileFacts | None, summary: str | None
) -> bool:
    """Whether a registration would say nothing new."""
    same = renewed(note, draft.id, summary) == draft.model_copy(update={"project_layer": draft.layer})
    if facts is None:
        return same
    modified = microseconds(facts.modified)
    return same and (note.digest, note.size, note.modified) == (facts.digest, facts.size, modified)


def _new(path: str, file: ProjectFile, fields: dict[str, Any]) -> ArtifactDraft:
    found = recognized(path, file.data.decode())
    load_layer = 1 if found.type == "config" else 2
    told = {"id": found.id, "type": found.type, "name": found.name, "load_layer": load_layer}
    return build(ArtifactDraft, path=path, **told | fields)
