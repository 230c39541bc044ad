"""A session: written to, read at any version, backtracked, forked, verified."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar
from uuid import UUID, uuid5

from backstory.application.branches import branching
from backstory.application.branches.diff import Diff, diff_states
from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.context.answering import Answering
from backstory.application.context.build import ContextBuilder
from backstory.application.context.render import conversation
from backstory.application.feed.tail import Tail
from backstory.application.handle import SessionHandle
from backstory.application.identifiers import new_session_id, session_id
from backstory.application.integrity.erasure import Erased, erase
from backstory.application.integrity.verification import Verification, verify_session
from backstory.application.queries.current_context import as_seen, current_context
from backstory.application.queries.read_models import (
    Checkpoint,
    read_checkpoints,
    read_decisions,
    read_encodings,
    read_items,
)
from backstory.application.runtime import OPTIMISTIC_ATTEMPTS, pause_before_retry
from backstory.application.tiers.tiering import Tiering
from backstory.application.transaction import QueueHandle, Transaction
from backstory.application.transcripts.source_lines import SourceLine, source_lines
from backstory.application.window.check import Windowing
from backstory.application.window.clearing import undo_clear
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.application.writing.writer import Writer
from backstory.domain.commands import facts, items
from backstory.domain.context.history import SAID
from backstory.domain.errors import InvalidInput, UnknownItem, UnknownVersion, VersionConflict
from backstory.domain.events import Event, SessionBacktracked
from backstory.domain.log.guards import Decided
from backstory.domain.messages.contents import Message, Part
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING, LARGEST, MAIN_WINDOW, listed, whole_number
from backstory.domain.window.stubs import stubbed
from backstory.infrastructure.llm.tokens import check_encoding, count_parts
from backstory.infrastructure.postgres.standby import reads_only

if TYPE_CHECKING:
    from backstory.application.chat import CommandResult

T = TypeVar("T")


class Session(ContextBuilder, Answering, Windowing, Tiering, Writer):
    """A handle on one session. It carries the epoch it was opened in: after somebody else's backtrack its writes
    are refused as `BranchMoved` until `refresh`, so nothing lands on a branch its author has not seen."""

    def __repr__(self) -> str:
        return f"<Session {self.id}>"

    def refresh(self) -> Self:
        """Accepts the session as it is now, after somebody else's backtrack."""
        self._handle.refresh()
        return self

    # Reading

    @property
    @reads_only
    def state(self) -> ContextState:
        """The state now."""
        return self._runtime.reader.state(self.id)

    @property
    @reads_only
    def version(self) -> int:
        """The newest version."""
        return self._runtime.require_head(self.id).version

    @reads_only
    def at(self, version: int) -> ContextState:
        """The state as it was at a version, on whatever branch that is."""
        return self._runtime.reader.state(self.id, whole_number("version", version))

    @reads_only
    def events(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
        branch: bool = False,
    ) -> Iterator[Event]:
        """The log, oldest first: all of it, abandoned branches too, or with `branch` what leads to the newest
        version. A fork's log begins with its parent's."""
        newest = self.version
        last = newest if upto is None else whole_number("upto", upto)
        if last > newest:
            raise UnknownVersion(f"version {last} does not exist: the session has versions 1 to {newest}.")
        if whole_number("after", after) < 0:
            raise InvalidInput("after", f"must not be negative, got {after}")
        wanted = listed("types", types)
        pieces = (
            self._runtime.reader.lineage(self.id, last)
            if branch
            else self._runtime.reader.log_of(self.id, last)
        )
        for event in self._runtime.reader.events(pieces, after):
            if (not wanted or event.type in wanted) and (actor is None or event.actor == actor):
                yield event

    def tail(
        self,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] = (),
        actor: str | None = None,
    ) -> Tail:
        """The log after a version and then each event as it is committed, abandoned branches too, until `close` or up
        to a version. It goes by versions, so that no writer of another session is ever waited for."""
        return Tail(self, after=after, upto=upto, types=types, actor=actor)

    @reads_only
    def diff(self, from_version: int, to_version: int) -> Diff:
        """What changed between two versions."""
        return diff_states(self.at(from_version), self.at(to_version))

    @reads_only
    def items(self, *, window: str | None = None, live: bool | None = None) -> list[Item]:
        """Items of the current branch, also those that have left every window. Whoever speaks here as an agent, as
        `by` makes it, does not see other agents' private items."""
        actor = self._provenance.actor
        return [
            item
            for item in read_items(self._runtime, self.id)
            if (window is None or window in item.windows)
            and (live is None or bool(item.windows) == live)
            and (actor is None or not item.private or item.agent == actor)
        ]

    @reads_only
    def decisions(self, *, before: int | None = None, limit: int = 50) -> list[Item]:
        """Decisions of the current branch, the newest first, also those that the state no longer holds; `before` a
        version to page on."""
        if limit < 1:
            raise InvalidInput("limit", f"must be at least 1, got {limit}")
        newest = LARGEST if before is None else whole_number("before", before)
        return read_decisions(self._runtime, self.id, newest, limit)

    @reads_only
    def checkpoints(self) -> list[Checkpoint]:
        """Every named version, abandoned branches included."""
        return read_checkpoints(self._runtime, self.id)

    @reads_only
    def parts(self, item: int) -> list[Part]:
        """What an item says, as parts with exact bytes. Whoever speaks here as an agent does not get what is private to
        another."""
        return [part for message in self._messages_of(item) for part in message.parts]

    @reads_only
    def text(self, item: int) -> str:
        """What an item says, as text: its text parts, one below the other."""
        said = [
            part
            for part in self.parts(item)
            if part.media_type.startswith("text/") or part.kind == "tool_result"
        ]
        return "\n".join(part.data.decode(errors="replace") for part in said)

    @reads_only
    def text_at(self, place: Place) -> str:
        """A text that the state names by its place, such as a goal's."""
        match place:
            case (int() as version, int() as part) if 1 <= version <= LARGEST and 0 <= part <= LARGEST:
                return self._contents().text_at((version, part))
        raise InvalidInput("place", f"must be a version and a part of it, got {place!r}")

    @reads_only
    def messages(
        self,
        *,
        format: Literal["openai", "anthropic"] | None = None,
        window: str = MAIN_WINDOW,
        at: int | None = None,
        last: int | None = None,
    ) -> list[dict[str, Any]] | list[Message]:
        """The live conversation of a window, now or at a version: neutral messages, or a provider's own. With `last`,
        only that many of the newest messages and tool exchanges, whole. One of which something was erased is left out,
        and old results that the window shows as stubs are stubs here."""
        if last is not None:
            whole_number("last", last, minimum=1)
        reader = self._runtime.reader
        if at is None:
            with reader.borrow(self.id) as state:
                return conversation(
                    ItemReader.of_newest(self._runtime, self.id, state), _said_in(state, window, last), format
                )
        erasure = reader.last_erasure(self.id)
        state = reader.past(self.id, whole_number("at", at))
        item_reader = ItemReader(self._runtime, self.id, state, erasure=erasure)
        return conversation(item_reader, _said_in(state, window, last), format)

    @reads_only
    def current_context(self, at: int | None = None) -> dict[str, Any]:
        """The state as the `current-context.json` of the ForgeMind document, every section of it. Whoever speaks here
        as an agent, as `by` makes it, does not see other agents' private items, nor their tokens."""
        state = self.state if at is None else self.at(at)
        contents = ContentReader.on_branch(self._runtime, self.id, state.version)
        if (actor := self._provenance.actor) is None:
            return current_context(state, contents)

        def may_see(private: bool, owner: str | None) -> bool:
            return not private or owner == actor

        return current_context(as_seen(state, may_see), contents, may_see=may_see)

    def imported_lines(self) -> Iterator[SourceLine]:
        """The lines of transcripts that were imported to this session, byte for byte and in their order, file by
        file. Of a line that has changed in the file since, the newest."""
        return source_lines(self._runtime, self.id, self.version)

    def verify(self, *, anchors: Mapping[int, str] | None = None) -> Verification:
        """Whether the record is what was written: chain, versions, contents, read models, snapshots. `anchors` are
        chain hashes that were kept outside the database, by version: see `Verification.chain`."""
        return verify_session(self._runtime, self.id, anchors)

    # Branches

    def backtrack(self, to: int, why: str) -> int:
        """Makes the state at an earlier version current again, and returns the version of the event that did.
        Nothing is deleted: backtracking to a version of the abandoned branch brings it back."""
        return branching.backtrack(self._handle, to, why)

    def redo(self, why: str = "redo") -> int:
        """Takes back the newest backtrack that was not taken back yet; called again, the one before it."""
        standing: list[int] = []
        for event in self.events(types=(SessionBacktracked.type,)):
            assert isinstance(event.body, SessionBacktracked)
            if standing and event.body.to == standing[-1]:
                standing.pop()
            else:
                standing.append(event.body.abandoned)
        if not standing:
            raise InvalidInput("redo", "there is no backtrack to take back")
        return self.backtrack(standing[-1], why)

    def fork(
        self,
        at: int | None = None,
        *,
        id: UUID | str | None = None,
        title: str | None = None,
        why: str | None = None,
    ) -> "Session":
        """Begins another session with this one's history up to a version. No event is copied. Under an id or a key
        that it was begun with before, the same fork is returned."""
        key = self._provenance.key
        child = (
            session_id(id) if id is not None else uuid5(self.id, key) if key is not None else new_session_id()
        )
        version = None if at is None else whole_number("at", at)
        branching.fork(self._runtime, self.id, version, child, self._provenance, why=why, title=title)
        return Session(SessionHandle.of(self._runtime, child))

    # Writing

    @contextmanager
    def atomic(self) -> Iterator[Transaction]:
        """Changes that are committed together when the block ends: ``with session.atomic() as tx: …``"""
        transaction = self.transaction()
        yield transaction
        transaction.commit()

    def transaction(self) -> Transaction:
        """A transaction to be committed by hand; `atomic` does that by itself."""
        return Transaction(QueueHandle.on(self._handle))

    def atomically(self, work: Callable[[Transaction], T], attempts: int = 4 * OPTIMISTIC_ATTEMPTS) -> T:
        """Runs `work` on a transaction and commits; again from the start when what it read has changed meanwhile."""
        for number in range(whole_number("attempts", attempts, minimum=1)):
            if number:
                time.sleep(pause_before_retry(number))
            try:
                with self.atomic() as transaction:
                    return work(transaction)
            except VersionConflict as conflict:
                last = conflict
        raise last

    def bring_back(self, *item_ids: int, window: str = MAIN_WINDOW) -> int:
        """Puts items that have left a window back into it."""
        wanted = items.checked_items(item_ids)

        def bring_back(state: ContextState, wanted: Sequence[int], window: str) -> Decided:
            branch = self._runtime.reader.lineage(self.id, state.version)
            contents = ContentReader(self._runtime, branch)
            rows = [contents.completed(row) for row in read_items(self._runtime, self.id, wanted)]
            missing = set(wanted) - {row.id for row in rows}
            if missing:
                rows += self._runtime.reader.inherited_items(self.id, branch, missing)
            return items.return_items(
                state,
                rows=sorted(rows),
                origins={item: owner for item in missing if (owner := branch.owner(item)) != self.id},
                window=window,
            )

        return self._command(ContentBundle(), partial(bring_back, wanted=wanted, window=window))

    def undo_clear(self) -> int:
        """Brings back exactly what the newest `clear` took out, whatever was written since; called again, what the
        clear before it took out."""

        def undo(state: ContextState) -> Decided:
            return undo_clear(state, self._runtime, self.id)

        return self._command(ContentBundle(), partial(undo))

    def command(self, text: str) -> "CommandResult":
        """Does what a chat command asks for, such as ``/set_goal Add login``. What cannot be done is answered in words
        and changes nothing; a text that is no command is refused as InvalidInput."""
        from backstory.application.chat import run_command

        return run_command(self, text)

    def configure_window(
        self,
        window: str = MAIN_WINDOW,
        *,
        limit: int | None = None,
        encoding: str | None = None,
        model: str | None = None,
    ) -> int:
        """Sets a window's limit, encoding and model. In another encoding, what is live there is counted again and
        both counts are kept."""
        if encoding is not None:
            check_encoding(encoding)
        change = facts.configure_window(window, limit=limit, encoding=encoding, model=model)
        counted_in = encoding or DEFAULT_ENCODING
        configure = Request(ContentBundle(), change, self._provenance)
        requests = [configure]
        if counted_in != read_encodings(self._runtime, self.id).get(window, DEFAULT_ENCODING):
            recount = partial(self._recount, window=window, encoding=counted_in)
            requests.insert(0, Request(ContentBundle(), recount, self._provenance))
        # The key stands for the configuration: asked again, there is nothing left to count.
        done = self._runtime.decide_and_append(
            self.id, requests, epoch=self.epoch, key=self._provenance.key, asked=[configure]
        )
        self._handle.opened.encodings[window] = counted_in
        return done.last_version

    def erase(
        self,
        item: int,
        why: str,
        *,
        everywhere: bool = False,
        keep_derived: bool = False,
        dry_run: bool = False,
    ) -> Erased:
        """Erases for good what an item says; every proof still holds. What was made from it goes with it, here and in
        forks, unless `keep_derived`: noticed decisions, summaries, compactions. Contents over 1 KB that are the same in
        this session are stored once and go together; shorter ones stay unless `everywhere`. Forks read inherited
        contents here, so they lose them too."""
        return erase(
            self._runtime,
            self.id,
            item,
            why,
            self._provenance,
            everywhere=everywhere,
            dry_run=dry_run,
            keep_derived=keep_derived,
        )

    def _recount(self, state: ContextState, window: str, encoding: str) -> Decided:
        """Counts what is live in a window. What was erased keeps the count that it had."""
        live = [item for item in state.live(window) if (item.encoding or DEFAULT_ENCODING) != encoding]
        said = ContentReader.on_branch(self._runtime, self.id, state.version).messages(live)
        tokens = {
            item: sum(count_parts(message.parts, encoding) for message in _shown(state.items[item], messages))
            for item, messages in said.items()
        }
        return items.count_tokens(state, encoding=encoding, tokens=tokens)

    def _contents(self) -> ContentReader:
        return ContentReader.on_branch(self._runtime, self.id, self.version)

    def _messages_of(self, item: int) -> list[Message]:
        """What an item says on the current branch or, when it is not on that, anywhere in the log."""
        newest = self.version
        if whole_number("item", item) < 1 or item > newest:
            raise UnknownItem(f"item {item} does not exist: the session has versions 1 to {newest}.")
        branch = self._runtime.reader.lineage(self.id, newest)
        if not branch.contains(item):
            branch = self._runtime.reader.log_of(self.id, newest)
        reader = ContentReader(self._runtime, branch)
        said = reader.said_by(item)
        if not said:
            raise UnknownItem(f"version {item} brought no item.")
        if self._provenance.actor is not None:
            brought = reader.events([item])[item].effects.brings
            if brought is not None and brought.private and brought.agent != self._provenance.actor:
                raise UnknownItem(f"item {item} is another agent's own.")
        return said


def _said_in(state: ContextState, window: str, last: int | None) -> list[Item]:
    newest = (item for item in reversed(state.items.values()) if item.type in SAID and window in item.windows)
    return list(islice(newest, last))[::-1]


def _shown(item: Item, messages: Sequence[Message]) -> Sequence[Message]:
    """What an item says in its windows."""
    return stubbed(item, messages) if item.is_stub else messages
