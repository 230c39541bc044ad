"""A session to a file, audited there, and into another database."""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from backstory import ContextStore, audit_export
from backstory.domain.guards import NO_GUARD
from backstory.domain.references import PLAIN_TEXT, digest
from backstory.infrastructure.appending import PendingEvent, StoredContent

TEXT = (
    "The value is read once and kept because callers expect the same answer until the next commit. " * 11
)[:1000]
EFFECTS = '{"brings":{"type":"message","tokens":200,"importance":0.5,"tier":"WARM","windows":[]}}'
"""Outside every window, as most of a long session is: few items are live at a time."""
BATCH = 500
CONTEXT_EVERY = 1_000


class Transfers(NamedTuple):
    events: int
    contexts: int
    megabytes: float
    """Of the file, uncompressed."""
    export: float
    """Megabytes a second, as are the next two."""
    export_zstd: float
    imported: float
    ratio: float
    """By which zstd makes the file smaller."""
    audit: float
    """Events a second, contexts made again included."""
    grew: float
    """Megabytes by which the process grew, at most, while it did all this."""


def transfers(here: str, there: str, events: int) -> Transfers:
    """One session of messages of 1,000 characters, with a recorded context every 1,000 events."""
    with tempfile.TemporaryDirectory() as folder, ContextStore.open(here) as store:
        plain, packed = Path(folder) / "session.jsonl", Path(folder) / "session.jsonl.zst"
        session = store.start(title="transferred")
        contexts = 0
        for first in range(0, events, BATCH):
            _append(store, session.id, first)
            if first % CONTEXT_EVERY == 0:
                session.message(f"What of part {first}?")
                session.context(4_000)
                contexts += 1
        before = _most_memory()
        exported, done = _timed(lambda: store.export(session.id, plain))
        exported_zstd, _ = _timed(lambda: store.export(session.id, packed, zstd=True))
        audited, found = _timed(lambda: audit_export(plain))
        assert found.require().contexts == contexts
        with ContextStore.open(there) as other:
            imported, _ = _timed(lambda: other.import_file(plain))
            grew = _most_memory() - before
            assert other.session(session.id).verify().require().chain == found.streams[-1].chain
        megabytes = done.bytes / 1e6
        return Transfers(
            events=done.events,
            contexts=contexts,
            megabytes=megabytes,
            export=megabytes / exported,
            export_zstd=megabytes / exported_zstd,
            imported=megabytes / imported,
            ratio=plain.stat().st_size / packed.stat().st_size,
            audit=done.events / audited,
            grew=grew,
        )


def _append(store: ContextStore, stream: UUID, first: int) -> None:
    events = []
    for number in range(first, first + BATCH):
        data, salt = f"{number} {TEXT}".encode(), number.to_bytes(16)
        named = f'"sha256":"{digest(salt, PLAIN_TEXT, data)}","size":{len(data)}'
        payload = f'{{"role":"user","parts":[{{"content":{{{named}}}}}]}}'
        content = StoredContent(0, PLAIN_TEXT, salt, data)
        events.append(PendingEvent("message.added", 1, payload.encode(), EFFECTS, contents=(content,)))
    store._core.append(stream, events, guard=NO_GUARD, epoch=None)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    done = work()
    return time.perf_counter() - began, done


def _most_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
