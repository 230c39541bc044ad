"""Loads artifacts into a session: from the window, the record, the project's other sessions, or the disk."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple
from uuid import UUID

from backstory.application.artifacts.made import made_text
from backstory.application.artifacts.register import (
    Skipped,
    facts_of,
    read_text,
    registration,
    renewed,
)
from backstory.application.artifacts.registry import (
    artifact_policy,
    project_of,
    project_state,
    read_artifacts,
    readable_root,
    recorded_root,
)
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.returning import returning_items
from backstory.application.handle import SessionHandle
from backstory.application.memory.streams import project_handle
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.new_items import counted_item
from backstory.application.writing.requests import Request
from backstory.domain import events as e
from backstory.domain.artifacts.selectors import CLARIFICATIONS, HISTORY, SUMMARIES
from backstory.domain.artifacts.values import HISTORICAL, FileFacts, artifact_id
from backstory.domain.commands import items
from backstory.domain.commands.artifacts import access_artifact, known_artifact, load_artifact, loaded_item
from backstory.domain.context_document.document import DEFAULT_TOTAL_TOKENS
from backstory.domain.errors import (
    AccessDenied,
    BackstoryError,
    Conflict,
    ItemNotLive,
    NotFound,
    Refused,
    Unavailable,
)
from backstory.domain.events.base import Change
from backstory.domain.log.guards import Decided
from backstory.domain.messages.contents import Part
from backstory.domain.records import ArtifactNote, CachedArtifact, LoadedArtifact, Window
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, build
from backstory.infrastructure.project_files import allowed_root, digest_of

ATTEMPTS = 20
"""Times that a load begins again because another agent loads the same artifact."""
MADE = (CLARIFICATIONS, SUMMARIES, HISTORY)
Source = Literal["window", "record", "cache", "disk"]


class Loaded(NamedTuple):
    """An artifact in the window."""

    artifact: str
    item: int
    """The item that holds it."""
    source: Source
    """window: it was there; record: it had been there before; cache: another session had it; disk: its file was
    read."""
    tokens: int
    replaced: int | None
    """The item with its earlier content, which left the window."""


class LoadedArtifacts(NamedTuple):
    """The artifacts of a load, and those that were not loaded."""

    loaded: tuple[Loaded, ...]
    skipped: tuple[Skipped, ...]


class Content(NamedTuple):
    """The content of an artifact that is about to be loaded."""

    data: bytes
    digest: str
    source: Source


class ArtifactLoader:
    """Loads artifacts of a session's project."""

    def __init__(self, handle: SessionHandle) -> None:
        # What is there already is not loaded twice, key or not.
        self._handle = handle = handle.with_(key=None)
        self._runtime = handle.runtime
        found = project_of(self._runtime.reader.state(handle.id))
        if found is None:
            raise Refused(
                "the session belongs to no project: start it with one, or call `details.set_project`."
            )
        self._name, self._project = found
        self.project = project_state(self._runtime, self._name)
        self.policy = artifact_policy(self.project)

    def load(self, artifact: str) -> Loaded:
        """Loads one artifact."""
        artifact_id("artifact", artifact)
        if artifact in MADE:
            return self._load_made(artifact)
        note = known_artifact(self.project, artifact)
        content, facts = self._content(artifact, note)
        return self._into_window(artifact, note, content, facts)

    def load_all(self, artifacts: Iterable[str], most: int | None = None) -> LoadedArtifacts:
        """Loads artifacts in order; what cannot be loaded, or would take more than so many tokens, is skipped."""
        loaded, skipped, taken = list[Loaded](), list[Skipped](), 0
        for artifact in dict.fromkeys(artifacts):
            note = self.project.artifacts.get(artifact)
            expected = 0 if note is None else note.tokens or 0
            if most is not None and taken + expected > most:
                skipped.append(
                    Skipped(artifact, f"its {expected:,} tokens are more than is left of {most:,}")
                )
                continue
            try:
                done = self.load(artifact)
            except (Conflict, Unavailable):
                raise
            except BackstoryError as error:
                skipped.append(Skipped(artifact, str(error)))
                continue
            taken += done.tokens
            loaded.append(done)
        return LoadedArtifacts(tuple(loaded), tuple(skipped))

    @property
    def most_tokens(self) -> int:
        """The tokens that artifacts may take which are only likely to be needed."""
        with self._runtime.reader.borrow(self._handle.id) as state:
            window = state.windows.get(MAIN_WINDOW, Window())
        return int(self.policy.share * (window.limit or DEFAULT_TOTAL_TOKENS))

    def cache(self, artifacts: Iterable[str]) -> None:
        """Sees to it that contents which are about to leave the window are at hand."""
        state = self._handle.state()
        for artifact in artifacts:
            held = state.loaded[artifact]
            item = state.items[held.item]
            known = self.project.artifact_cache
            if held.digest is not None and held.digest not in known and artifact in self.project.artifacts:
                self._note_loaded(artifact, held.item, held.digest, None, item.tokens)

    def is_outdated(self, artifact: str, digest: str | None) -> bool:
        """Whether a loaded content is another one than the artifact's file has now or, where that cannot be read, than
        was registered of it last."""
        note = self.project.artifacts.get(artifact)
        if note is None or note.path is None or digest is None:
            return False
        root = readable_root(self._runtime, self.project)
        if root is not None:
            try:
                return read_text(root, note.path, self.policy).digest != digest
            except NotFound:
                return True
            except Refused:
                pass
        return note.digest is not None and note.digest != digest

    # Steps

    def _content(self, artifact: str, note: ArtifactNote) -> tuple[Content, FileFacts | None]:
        """The newest content of an artifact, and what is to be registered of its file where that has changed."""
        root = recorded_root(self.project)
        if note.path is None:
            raise Refused(f"artifact {artifact!r} has no file.")
        if root is None:
            raise Refused("the project has no folder yet: `artifacts.configure(root)` sets one.")
        try:
            folder = allowed_root(root, self._runtime.roots)
        except AccessDenied:
            # What was loaded once may be loaded again by those who may not read the folder.
            content = None if note.digest is None else self._cached(note.digest)
            if content is None:
                raise
            return content, None
        file = read_text(folder, note.path, self.policy)
        changed = (file.digest, len(file.data)) != (note.digest, note.size)
        facts = facts_of(file, self._handle.encoding()) if changed else None
        cached = self._cached(file.digest)
        return cached or Content(file.data, file.digest, "disk"), facts

    def _cached(self, digest: str) -> Content | None:
        """A content from the session that loaded it last, if it is still there."""
        cached = self.project.artifact_cache.get(digest)
        if cached is None:
            return None
        data = cached_bytes(self._handle, cached)
        return Content(data, digest, "cache") if data is not None and digest_of(data) == digest else None

    def _into_window(
        self, artifact: str, note: ArtifactNote, content: Content, facts: FileFacts | None
    ) -> Loaded:
        done = self._placed(
            artifact,
            content,
            type_=note.type,
            name=note.name,
            path=note.path,
            load_layer=note.load_layer,
            project_layer=note.project_layer,
            clarity=note.clarity,
        )
        if facts is not None:
            self._register_again(artifact, note, facts)
        if done.source != "window":
            self._note_loaded(artifact, done.item, content.digest, len(content.data), done.tokens)
        return done

    def _placed(self, artifact: str, content: Content, *, type_: str, **said: Any) -> Loaded:
        """Puts a content into the window, unless it is there."""
        for _ in range(ATTEMPTS):
            state = self._handle.state()
            held, before = state.loaded.get(artifact), loaded_item(state, artifact)
            if held is not None and held.digest == content.digest:
                found = self._there(artifact, held, content.digest, before, state)
                if found is not None:
                    return found
            bundle = self._handle.bundle()
            parts = (Part("text", content.data, _media_type(said.get("path"))),)
            sealed = bundle.parts("content", parts)
            body = build(e.ItemSaved, parts=sealed, artifact=artifact, digest=content.digest, **said)
            path = said.get("path")
            item = counted_item(self._handle, type_, parts, None, (MAIN_WINDOW,), path=path, private=False)
            try:
                version = self._handle.command(bundle, partial(load_artifact, body=body, item=item))
            except Refused:
                if loaded_item(self._handle.state(), artifact) is None:
                    raise
                continue  # Another agent has loaded it meanwhile.
            return Loaded(artifact, version, content.source, item.tokens, before)
        raise Conflict(f"artifact {artifact!r} is being loaded by others all the time.")

    def _there(
        self, artifact: str, held: LoadedArtifact, digest: str, live: int | None, state: ContextState
    ) -> Loaded | None:
        """The content that the session has already: in the window, or brought back to it."""
        if live is None:
            returned = self._returned(held.item)
            return None if returned is None else Loaded(artifact, held.item, "record", returned, None)
        try:
            self._handle.command(ContentBundle(), partial(access_artifact, artifact=artifact, digest=digest))
        except ItemNotLive:
            return None
        return Loaded(artifact, live, "window", state.items[live].tokens, None)

    def _returned(self, item: int) -> int | None:
        """Brings back an item that has left the window. Returns its tokens; None where it cannot come back."""
        found: list[int] = []

        def bring_back_artifact(state: ContextState, item: int) -> Decided:
            returning = returning_items(self._handle, state, [item])
            if not returning.rows:
                raise Refused(f"item {item} is in quarantine.")
            found[:] = [returning.rows[0].tokens]
            return items.return_items(
                state, rows=returning.rows, brought_in=returning.brought_in, window=MAIN_WINDOW
            )

        reader = ContentReader.on_branch(self._runtime, self._handle.id, self._handle.state().version)
        if not reader.present([item]):
            return None
        try:
            self._handle.command(ContentBundle(), partial(bring_back_artifact, item=item))
        except (NotFound, Refused):
            return None
        return found[0] if found else None

    def _register_again(self, artifact: str, note: ArtifactNote, facts: FileFacts) -> None:
        (known,) = read_artifacts(self._runtime, self.project, {artifact: note})
        draft = renewed(note, artifact, known.summary)
        handle = self._project_handle()
        request = registration(handle, draft, facts)
        handle.submit(request)

    def _note_loaded(self, artifact: str, item: int, digest: str, size: int | None, tokens: int) -> None:
        cached = self.project.artifact_cache.get(digest)
        if cached is not None and (cached.session, cached.item) == (str(self._handle.id), item):
            return
        if size is None:
            note = self.project.artifacts[artifact]
            size = (cached.size if cached is not None else note.size) or 0
        body = build(
            e.ArtifactLoaded,
            artifact=artifact,
            session=self._handle.id,
            item=item,
            digest=digest,
            size=size,
            tokens=tokens,
        )
        handle = self._project_handle()
        handle.submit(Request(ContentBundle(), Change(body), handle.provenance))
        self.project = project_state(self._runtime, self._name)

    def _project_handle(self) -> SessionHandle:
        return project_handle(self._runtime, self._name).with_(actor=self._handle.actor)

    def _load_made(self, artifact: str) -> Loaded:
        text = made_text(self._handle, self._name, self.project, artifact)
        if not text:
            raise Refused(f"there is nothing yet that {artifact!r} could tell of.")
        data = text.encode(errors="replace")
        return self._placed(
            artifact,
            Content(data, digest_of(data), "record"),
            type_="history",
            name=artifact.replace("-", " "),
            load_layer=HISTORICAL,
        )


def cached_bytes(handle: SessionHandle, cached: CachedArtifact) -> bytes | None:
    """The content that another session of the project has loaded; None where it is gone."""
    runtime, stream = handle.runtime, UUID(cached.session)
    head = runtime.log.head(stream)
    if head is None or cached.item > head.version:
        return None
    reader = ContentReader(runtime, runtime.reader.log_of(stream, head.version))
    try:
        parts: Sequence[Part] = [part for message in reader.said_by(cached.item) for part in message.parts]
    except BackstoryError:
        return None
    return b"".join(part.data for part in parts) if parts else None


def _media_type(path: str | None) -> str:
    return "text/markdown" if path is not None and path.endswith((".md", ".markdown")) else "text/plain"
