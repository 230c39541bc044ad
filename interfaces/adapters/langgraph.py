"""LangGraph's checkpointer on a ContextStore: each thread is a session, each new message of a graph an item of it."""

import asyncio
import hashlib
from builtins import list as List
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from random import getrandbits
from threading import Lock
from typing import Any
from uuid import UUID, uuid5

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
    writes_sort_key,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from backstory.application.store import ContextStore
from backstory.domain.effects import Effects, Removal
from backstory.domain.errors import (
    IdempotencyConflict,
    InvalidInput,
    OnlyInProcess,
    Refused,
    SessionPurged,
    UnknownSession,
    VersionConflict,
)
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.adapters.langgraph_events import CheckpointsHidden, ThreadOpened
from backstory.interfaces.adapters.langgraph_recording import CheckpointDraft, writes_of
from backstory.interfaces.adapters.langgraph_thread import Contents, Entry, Thread
from backstory.interfaces.adapters.langgraph_values import unpack
from backstory.interfaces.client.store import RemoteStore

THREADS = UUID("6b0b3f0e-3b7b-5d6c-8a55-3d1f5d7f3c11")
"""The namespace of the ids of sessions that are threads."""
TAG = "langgraph"
THREADS_KEPT = 64
"""Threads whose checkpoints are kept in memory."""
AT_ONCE = 64
"""Checkpoints that a listing reads at once."""
_BRANCHES = "__backstory_branches"
"""In a config: the run goes on from a checkpoint that its caller chose among older ones."""


class BackstorySaver(BaseCheckpointSaver[str]):
    """A checkpointer for LangGraph. Sync and async methods; the async ones run on threads.

    The session of a thread has the thread's id as its title, and the tag `langgraph`. New threads belong to `project`.
    """

    def __init__(
        self, store: ContextStore, *, project: str | None = None, serde: SerializerProtocol | None = None
    ) -> None:
        super().__init__(serde=serde)
        if isinstance(store, RemoteStore):
            raise OnlyInProcess("a checkpointer records events of its own: open the database beside it.")
        self._store = store
        self._project = project
        self._threads: OrderedDict[UUID, Thread] = OrderedDict()
        self._lock = Lock()

    def session_id(self, thread_id: str) -> UUID:
        """The id of the session that a thread is kept in."""
        return uuid5(THREADS, str(thread_id))

    def get_next_version(self, current: str | int | None, channel: None) -> str:
        """The next version of a channel: a number, and a random part that tells branches apart."""
        number = 0 if current is None else int(str(current).split(".")[0])
        return f"{number + 1:08}.{getrandbits(32):08x}"

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names, else the newest of its thread."""
        thread = self._find(_thread_id(config))
        if thread is None:
            return None
        ns, named = _ns(config), get_checkpoint_id(config)
        with thread.lock:
            head = thread.refresh().head(ns)
            entry = thread.entries.get((ns, named)) if named else head
            if entry is None or entry.hidden_at is not None:
                return None
            (found,) = self._tuples(thread, [entry])
            if entry is not head:
                found.config["configurable"][_BRANCHES] = True
            elif _BRANCHES in config["configurable"]:
                found.config["configurable"][_BRANCHES] = False
            return found

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints of a thread, or of all threads, the newest first."""
        left = limit
        for thread in self._all() if config is None else [self._find(_thread_id(config))]:
            if thread is None:
                continue
            entries = self._entries(thread, config, before)
            for start in range(0, len(entries), AT_ONCE):
                for found in self._matching(thread, entries[start : start + AT_ONCE], filter):
                    if left is not None and left <= 0:
                        return
                    left = None if left is None else left - 1
                    yield found

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Records a checkpoint, and the messages that are new in it. Raises VersionConflict when another run has
        continued the thread from the checkpoint that this run began with: nothing of either is lost."""
        ns, named = config["configurable"].get("checkpoint_ns", ""), get_checkpoint_id(config)
        thread = self._open(_thread_id(config))
        with thread.lock:
            parent = thread.refresh().entries.get((ns, named or ""))
            draft = CheckpointDraft(thread, self.serde, ns, parent)
            rest = dict(checkpoint)
            values = rest.pop("channel_values")
            assert isinstance(values, dict)
            for channel, version in new_versions.items():
                draft.channel(channel, version, values)
            body = draft.body(rest, get_serializable_checkpoint_metadata(config, metadata))
            if parent is None and named:
                body = body.model_copy(update={"parent": named})
            effects = Effects(removes=draft.leaving())
            branches = ns == "" and parent is not thread.head(ns)
            session = thread.session
            key = self._claim(thread, config, body.parent, checkpoint["id"], metadata)
            try:
                with (session if key is None else session.once(key)).atomic() as transaction:
                    draft.messages.write(transaction)
                    ticket = transaction.record(body, effects=effects, contents=draft.bundle)
            except IdempotencyConflict:
                raise VersionConflict(
                    f"another run has continued thread {_thread_id(config)!r} from checkpoint {named}: "
                    "invoke the graph again, and it goes on from the newest checkpoint."
                ) from None
            draft.keep(transaction.version_of(ticket))
            if branches:
                self._bring_back(thread, draft.kept_items())
        return _config(_thread_id(config), ns, checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Records what a task wrote on a checkpoint."""
        thread = self._open(_thread_id(config))
        body, bundle = writes_of(
            self.serde,
            writes,
            WRITES_IDX_MAP.get,
            ns=_ns(config),
            checkpoint=config["configurable"]["checkpoint_id"],
            task=task_id,
            task_path=task_path,
        )
        thread.session.record(body, contents=bundle)

    def delete_thread(self, thread_id: str) -> None:
        """Hides all checkpoints of a thread. Its messages leave the window; the record keeps them: see
        `erase_thread`."""
        thread = self._find(thread_id)
        if thread is not None:
            with thread.lock:
                self._hide(thread.refresh(), thread.visible(), "delete_thread")

    def erase_thread(self, thread_id: str) -> None:
        """Deletes a thread for good, with everything that was recorded of it. A tombstone stays, and no thread of this
        id can be begun again."""
        if self._find(thread_id) is not None:
            self._store.purge(self.session_id(thread_id), without_export=True)
            with self._lock:
                self._threads.pop(self.session_id(thread_id), None)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Hides the checkpoints that these runs made, in all threads."""
        wanted = set(run_ids)
        for thread in self._all() if wanted else ():
            with thread.lock:
                made = [
                    entry
                    for entry, metadata in self._metadata(thread.refresh(), thread.visible())
                    if metadata.get("run_id") in wanted
                ]
                self._hide(thread, made, "delete_for_runs")

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Makes a thread with the checkpoints of another. It is a fork of the session: nothing is stored twice."""
        source = self._find(source_thread_id)
        if source is None:
            raise UnknownSession(f"thread {source_thread_id!r} does not exist.")
        if self._find(target_thread_id) is not None:
            raise InvalidInput("target_thread_id", f"{target_thread_id!r} is a thread already")
        copied = source.session.fork(id=self.session_id(target_thread_id), title=target_thread_id or None)
        copied.details.tag(TAG)
        copied.record(ThreadOpened(thread=str(target_thread_id)))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Hides checkpoints: all but the newest of each namespace, or all with the strategy `delete`. Delta channels
        keep their values, since the record keeps what they are made from."""
        if strategy not in ("keep_latest", "delete"):
            raise InvalidInput("strategy", f"must be keep_latest or delete, got {strategy!r}")
        for thread in map(self._find, thread_ids):
            if thread is not None:
                with thread.lock:
                    visible = thread.refresh().visible()
                    kept = (
                        {entry.body.ns: entry for entry in reversed(visible)} if strategy != "delete" else {}
                    )
                    gone = [entry for entry in visible if kept.get(entry.body.ns) is not entry]
                    self._hide(thread, gone, "prune")

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Of each channel, the nearest earlier value and the writes since, oldest first."""
        found: dict[str, DeltaChannelHistory] = {channel: {"writes": []} for channel in channels}
        thread = self._find(_thread_id(config))
        if thread is None or not channels:
            return found
        with thread.lock:
            ns, named = _ns(config), get_checkpoint_id(config)
            entry = thread.refresh().entries.get((ns, named)) if named else thread.head(ns)
            contents, left = thread.contents(), set(channels)
            for ancestor in [] if entry is None else [*thread.ancestors(entry)][1:]:
                for write in reversed(thread.pending_writes(self.serde, contents, ancestor, writes_sort_key)):
                    if write[1] in left:
                        found[write[1]]["writes"].insert(0, write)
                versions = self._checkpoint(contents, ancestor)["channel_versions"]
                values = thread.channel_values(
                    self.serde, contents, ns, {c: v for c, v in versions.items() if c in left}
                )
                for channel, value in values.items():
                    found[channel]["seed"] = value
                    left.discard(channel)
                if not left:
                    break
        return found

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See get_tuple."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """See list."""
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (one := await asyncio.to_thread(next, found, None)) is not None:
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """See put."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """See put_writes."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """See delete_thread."""
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """See delete_for_runs."""
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """See copy_thread."""
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """See prune."""
        await asyncio.to_thread(lambda: self.prune(thread_ids, strategy=strategy))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """See get_delta_channel_history."""
        return await asyncio.to_thread(
            lambda: self.get_delta_channel_history(config=config, channels=channels)
        )

    # Threads

    def _find(self, thread_id: str) -> Thread | None:
        """A thread that there is."""
        return self._thread(self.session_id(thread_id))

    def _thread(self, id: UUID) -> Thread | None:
        with self._lock:
            if id in self._threads:
                self._threads.move_to_end(id)
                return self._threads[id]
        try:
            return self._remember(Thread(self._store.session(id)))
        except UnknownSession:
            return None

    def _open(self, thread_id: str) -> Thread:
        """A thread, begun if there is none."""
        thread = self._find(thread_id)
        if thread is not None:
            return thread
        try:
            session = self._store.start(
                self.session_id(thread_id), title=str(thread_id) or None, tags=[TAG], project=self._project
            )
        except UnknownSession:
            raise SessionPurged(f"thread {thread_id!r} was erased: its id cannot be used again.") from None
        session.once("langgraph: thread opened").record(ThreadOpened(thread=str(thread_id)))
        return self._remember(Thread(session))

    def _remember(self, thread: Thread) -> Thread:
        with self._lock:
            # Two calls may have opened it at once: one of them counts, so that its lock holds for both.
            kept = self._threads.setdefault(thread.session.id, thread)
            while len(self._threads) > THREADS_KEPT:
                self._threads.popitem(last=False)
            return kept

    def _all(self) -> Iterator[Thread]:
        after: str | None = None
        while page := self._store.sessions(tag=TAG, limit=100, after=after):
            for summary in page:
                thread = self._thread(summary.id)
                if thread is not None:
                    yield thread
            after = page[-1].place

    # Reading

    def _entries(
        self, thread: Thread, config: RunnableConfig | None, before: RunnableConfig | None
    ) -> List[Entry]:
        ns = None if config is None else config["configurable"].get("checkpoint_ns")
        named = None if config is None else get_checkpoint_id(config)
        until = None if before is None else get_checkpoint_id(before)
        with thread.lock:
            return [
                entry
                for entry in thread.refresh().visible(ns)
                if (not named or entry.body.id == named) and (not until or entry.body.id < until)
            ]

    def _matching(
        self, thread: Thread, entries: Sequence[Entry], filter: Mapping[str, Any] | None
    ) -> List[CheckpointTuple]:
        with thread.lock:
            if filter:
                entries = [
                    entry
                    for entry, metadata in self._metadata(thread, entries)
                    if all(metadata.get(name) == value for name, value in filter.items())
                ]
            found = self._tuples(thread, entries)
            for entry, one in zip(entries, found, strict=True):
                if entry is not thread.head(entry.body.ns):
                    one.config["configurable"][_BRANCHES] = True
            return found

    def _metadata(self, thread: Thread, entries: Sequence[Entry]) -> Iterator[tuple[Entry, dict[str, Any]]]:
        for start in range(0, len(entries), AT_ONCE):
            part, contents = entries[start : start + AT_ONCE], thread.contents()
            contents.need(entry.version for entry in part)
            for entry in part:
                yield entry, self._unpacked(contents, entry, "m")

    def _tuples(self, thread: Thread, entries: Sequence[Entry]) -> List[CheckpointTuple]:
        contents = thread.contents()
        contents.need(entry.version for entry in entries)
        return [self._tuple(thread, contents, entry) for entry in entries]

    def _tuple(self, thread: Thread, contents: Contents, entry: Entry) -> CheckpointTuple:
        checkpoint, body = self._checkpoint(contents, entry), entry.body
        values = thread.channel_values(self.serde, contents, body.ns, checkpoint["channel_versions"])
        name = thread.name or ""
        return CheckpointTuple(
            config=_config(name, body.ns, body.id),
            checkpoint={**checkpoint, "channel_values": values},
            metadata=self._unpacked(contents, entry, "m"),
            parent_config=None if body.parent is None else _config(name, body.ns, body.parent),
            pending_writes=thread.pending_writes(self.serde, contents, entry, writes_sort_key),
        )

    def _checkpoint(self, contents: Contents, entry: Entry) -> Any:
        return self._unpacked(contents, entry, "c")

    def _unpacked(self, contents: Contents, entry: Entry, field: str) -> Any:
        said = contents.record(entry.version)[field]
        return unpack(self.serde, contents.packed(entry.version, said))

    # Writing

    def _claim(
        self,
        thread: Thread,
        config: RunnableConfig,
        parent: str | None,
        id: str,
        metadata: CheckpointMetadata,
    ) -> str | None:
        """The idempotency key of going on from a checkpoint: the database lets one run do so. A run that its caller
        began at an older checkpoint makes a branch, and claims nothing."""
        ns = config["configurable"].get("checkpoint_ns", "")
        # What a graph begins a thread with is of step -1; others may put checkpoints without a parent side by side.
        beside = parent is None and metadata.get("step") != -1
        if beside or config["configurable"].get(_BRANCHES) or (ns, id) in thread.entries:
            return None
        said = "\0".join([str(thread.epoch), str(thread.hidden_at), ns, parent or ""])
        return f"langgraph {hashlib.sha256(said.encode()).hexdigest()[:32]}"

    def _hide(self, thread: Thread, entries: Iterable[Entry], by: str) -> None:
        gone = [*entries]
        if not gone:
            return
        contents, hidden = thread.contents(), {id(entry) for entry in gone}
        before = thread.items_of(thread.head(""), contents)
        rest = [entry for entry in thread.visible("") if id(entry) not in hidden]
        leaving = sorted(before - thread.items_of(rest[0] if rest else None, contents))
        removes = (Removal(items=tuple(leaving), disposition="removed", window=MAIN_WINDOW),)
        body = CheckpointsHidden(by=by, checkpoints=tuple(entry.version for entry in gone))
        thread.session.record(body, effects=Effects(removes=removes if leaving else ()))

    def _bring_back(self, thread: Thread, items: set[int]) -> None:
        """Puts the messages of an older checkpoint back into the window."""
        state = thread.session.state
        gone = sorted(item for item in items if item not in state.items and item not in state.quarantined)
        if gone:
            try:
                thread.session.items.bring_back(*gone)
            except Refused:
                # Somebody else was quicker, or has taken them out of every context.
                return


def _thread_id(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])


def _ns(config: RunnableConfig) -> str:
    return str(config["configurable"].get("checkpoint_ns", ""))


def _config(thread_id: str, ns: str, id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": ns, "checkpoint_id": id}}
