"""The groups of a session of a service."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from backstory.application.artifacts.session_artifacts import SessionArtifacts
from backstory.application.checkpoints.files import CheckpointFile, file_differences, file_name
from backstory.application.checkpoints.session_checkpoints import (
    RestoredCheckpoint,
    SessionCheckpoints,
    TakenCheckpoint,
)
from backstory.application.items.session_decisions import SessionDecisions
from backstory.application.items.session_items import SessionItems
from backstory.application.queries.source_lines import SourceLine
from backstory.application.queries.views import SessionViews
from backstory.application.safety.session_safety import Safety
from backstory.application.tiers.session_tiers import SessionTiers
from backstory.application.tiers.session_work import SessionWork
from backstory.application.triggers.session_triggers import SessionTriggers
from backstory.application.window.session_window import SessionWindow
from backstory.domain.errors import InvalidInput, OnlyInProcess, VerificationFailed
from backstory.domain.messages.contents import Part
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.records import Item, Place
from backstory.domain.values import MAIN_WINDOW, Tier
from backstory.interfaces.client.calls import get, over_http, post
from backstory.interfaces.client.handle import RemoteHandle
from backstory.interfaces.client.reading import json_lines
from backstory.interfaces.client.results import value_of

ROOT = {
    "root": "files of this machine cannot be read by the service: give their checksums to `progress.file_updated`."
}


@over_http(
    "items",
    list=get("/items", paged=True),
    parts=get(read=lambda document: value_of(list[Part], document["parts"])),
    metadata=get("/items/parts", read=lambda document: document["metadata"]),
    load=post(keyed=False),
)
class RemoteItems(SessionItems):
    """See SessionItems."""

    _handle: RemoteHandle

    def text_at(self, place: Place) -> str:
        match place:
            case (int() as version, int() as part):
                text: str = self._handle.read(
                    "/items/text-at", {"version": str(version), "part": str(part)}
                ).document["text"]
                return text
        raise InvalidInput("place", f"must be a version and a part of it, got {place!r}")


@over_http("decisions", list=get("/decisions"), candidates=get())
class RemoteDecisions(SessionDecisions):
    """See SessionDecisions."""


@over_http("work")
class RemoteWork(SessionWork):
    """See SessionWork."""


@over_http(
    "window",
    local=("on_alert",),
    usage=get(paged=True),
    compact=post(),
    dropped=get(),
    uncompact=get(),
    expand=get(accesses=True),
    prune=post(),
    flash_save=post(),
    recover=post(keyed=False),
)
class RemoteWindow(SessionWindow):
    """See SessionWindow."""


def _taken(document: Any) -> TakenCheckpoint | None:
    if document["version"] is None:
        return None
    taken: TakenCheckpoint = value_of(TakenCheckpoint, document)
    return taken


@over_http("checkpoints", create_if_due=post(here=ROOT, read=_taken), file=get(), list=get("/checkpoints"))
class RemoteCheckpoints(SessionCheckpoints):
    """See SessionCheckpoints."""

    _handle: RemoteHandle

    def create(
        self,
        name: str,
        *,
        triggers: Sequence[str] = (),
        window: str = MAIN_WINDOW,
        files: Sequence[str] = (),
        root: Path | str | None = None,
    ) -> int:
        if root is not None:
            raise OnlyInProcess(f"root: {ROOT['root']}")
        body: dict[str, Any] = {"name": name, "triggers": list(triggers)}
        if window != MAIN_WINDOW:
            body["window"] = window
        return self._handle.apply("checkpoints.create", "/checkpoints/create", body)

    def save(
        self, directory: Path | str, checkpoint: int | str | None = None, *, secrets: bool = False
    ) -> Path:
        query = {} if checkpoint is None else {"checkpoint": str(checkpoint)}
        query |= {"secrets": "true"} if secrets else {}
        file = self.file(checkpoint)
        target = Path(directory) / file_name(file.taken_at)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput("directory", f"cannot be made, {str(directory)!r}: {error.strerror}") from None
        self._handle.download("/checkpoints/save", query, target)
        return target

    def restore(
        self,
        checkpoint: int | str | Path | CheckpointFile | None = None,
        *,
        root: Path | str | None = None,
        why: str | None = None,
        check_files: bool = True,
    ) -> RestoredCheckpoint:
        file = CheckpointFile.load(checkpoint) if isinstance(checkpoint, Path) else checkpoint
        if isinstance(file, CheckpointFile):
            if file.session != self._id:
                raise InvalidInput("checkpoint", f"is one of session {file.session}, not of {self._id}")
            named: int | str | None = file.version
            if self.file(named).chain != file.chain:
                raise VerificationFailed(
                    f"checkpoint {file.version}: the chain's hash is not the one that the file has."
                )
        else:
            named = file
        told = {"checkpoint": named, "why": why}
        body = {name: value for name, value in told.items() if value is not None}
        done: RestoredCheckpoint = value_of(
            RestoredCheckpoint, self._handle.post("/checkpoints/restore", body).document
        )
        if not check_files:
            return done
        checksums = self.file(done.checkpoint).file_checksums
        return replace(done, files=file_differences(checksums, Path.cwd() if root is None else root))


@over_http("tiers", update=post(keyed=False), stats=get(), diff=post())
class RemoteTiers(SessionTiers):
    """See SessionTiers."""

    _handle: RemoteHandle

    def items(
        self, tier: str | None = Tier.HOT, *, agent: str | None = None, live: bool = True
    ) -> list[Item]:
        return sorted(
            (item for item, _ in self.weighed(tier, agent=agent, live=live)), key=lambda item: item.id
        )

    def weighed(
        self, tier: str | None = None, *, agent: str | None = None, live: bool = True
    ) -> list[tuple[Item, float]]:
        told = {"tier": None if tier is None else str(tier), "agent": agent, "live": str(live).lower()}
        query = {name: value for name, value in told.items() if value is not None}
        found = self._handle.read("/tiers/items", query).document["items"]
        known = {item.id: item for item in RemoteItems(self._handle).list()}
        return [(known[one["item"]], one["score"]) for one in found]


@over_http(
    "safety",
    quarantined=get(read=lambda document: document["items"]),
    flagged=get(),
    reached=get(),
    take_out=post(keyed=False),
    counts=get(read=lambda document: document["flags"]),
)
class RemoteSafety(Safety):
    """See Safety."""

    _handle: RemoteHandle

    @property
    def policy(self) -> SafetyPolicy:
        policy: SafetyPolicy = value_of(SafetyPolicy, self._handle.read("/safety/policy").document)
        return policy


@over_http(
    "artifacts",
    load=post(keyed=False),
    load_layers=post(keyed=False),
    preload=post(keyed=False),
    unload_stale=post(keyed=False),
    list=get("/artifacts"),
)
class RemoteArtifacts(SessionArtifacts):
    """See SessionArtifacts."""


@over_http("triggers", run=post(keyed=False), history=get())
class RemoteTriggers(SessionTriggers):
    """See SessionTriggers."""


@over_http(
    "views",
    current_context=get(read=lambda document: document),
    hot_context=get(read=lambda document: document),
    recent_history=get(),
    restore_view=get(),
    entities=get(),
    summary=get(read=lambda document: document["text"]),
)
class RemoteViews(SessionViews):
    """See SessionViews."""

    _handle: RemoteHandle

    def validate(self, at: int | None = None, *, since: int | None = None) -> dict[str, Any]:
        told = {"at": at, "since": since}
        self._handle.read(
            "/views/validate", {name: str(value) for name, value in told.items() if value is not None}
        )
        return self.current_context(at)

    def imported_lines(self) -> Iterator[SourceLine]:
        for document in json_lines(self._handle, "/views/imported-lines"):
            yield value_of(SourceLine, document)
