"""What a compaction took out of a window, ranked by what was needed of it since or is likely to be needed next."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import message_of
from backstory.application.handle import SessionPart
from backstory.application.runtime import Runtime
from backstory.application.window.undo import is_in
from backstory.domain.context.history import is_of_user, is_visible
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.errors import ContentErased, UnknownItem
from backstory.domain.events import Event, ItemsCompacted
from backstory.domain.log.lineage import Lineage
from backstory.domain.log.ranges import from_ranges
from backstory.domain.messages.contents import Message
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.search.passages import passages
from backstory.domain.search.snippets import snippet_of
from backstory.domain.state import ContextState
from backstory.domain.values import label, version_number, whole_number
from backstory.domain.window.needs import Needs, Words, kinds_of, matches, score, used_of, words_in, words_of

MOST_ITEMS = 1_000
"""Of one result: nobody reads further."""
MOST_EVENTS = 1_000
"""Events after the compaction that are looked through. Why: the longer work went on without something, the less the
compaction is to blame."""
NEWEST = 6
"""Messages and exchanges that say what the window is about now."""
LONGEST_LINE = 240
"""Characters of an item's beginning: two or three lines of a terminal."""


class DroppedItem(NamedTuple):
    """An item that a compaction took out of a window, and why it is missed."""

    item: int
    """Its id, which is the version that brought it."""
    type: str
    speaker: str | None
    """The name or, without one, the role of who said it; None for items that nobody said."""
    at: datetime
    """The time at which it occurred."""
    tokens: int
    line: str | None
    """Its beginning on one line, tools' calls in words; None if something of it was erased."""
    kinds: tuple[str, ...]
    """Why the next steps may need it: pending_call, user_words, decision, failure, file, command."""
    used: tuple[str, ...]
    """Names and words of it that later steps used when nothing in the window had them."""
    used_at: int | None
    """The version of the first step that used one of them."""
    score: float
    """Its rank as a number, above 0.5 only if later steps used it. It compares items of one result and nothing else."""
    summarized: bool
    """Whether the summary tells of it. Otherwise it left without a word."""
    gone: bool
    """Whether it is out of the window now. Otherwise it was brought back."""


class Dropped(NamedTuple):
    """What a compaction took out of a window, most needed first."""

    session: UUID
    compaction: int
    """The version of the compaction."""
    at: datetime
    """The time at which it occurred."""
    window: str
    algorithm: str
    """The algorithm that chose the items or, in an imported session, the tool that was at work."""
    trigger: str | None
    steps: int
    """The number of later messages and calls that the ranking looked at. With none, the items are ranked by what the
    next steps are likely to need."""
    left: int
    """The number of items that left, as far as the caller may see them."""
    gone: int
    """The number of those that are still out of the window."""
    tokens: int
    """The tokens of all that left."""
    items: tuple[DroppedItem, ...]
    """The items, at most as many as were asked for."""


class DropReader(SessionPart):
    """Ranks what left a window."""

    def dropped(self, version: int | None = None, *, agent: str | None = None, limit: int = 20) -> Dropped:
        """Ranks what a compaction, a prune or a flash save took out of a window, most needed first: what later steps
        used although nothing in the window had it any more, then what the next steps are likely to need, such as the
        user's own words, pending calls, decisions and failures. `version` is that of the compaction, in an imported
        session also of another tool's; by default the newest that was not undone. `agent`, by default the caller, sees
        its own private items and nobody else's. Reading counts no access."""
        if version is not None:
            version_number("version", version)
        if agent is not None:
            self._runtime.agent(label("agent", agent))
        whole_number("limit", limit, minimum=1, maximum=MOST_ITEMS)
        agent = self._handle.actor if agent is None else agent
        now = self._runtime.reader.state(self._id)
        branch = self._runtime.reader.lineage(self._id, now.version)
        compaction = compaction_event(self._runtime, now, branch, version)
        body = compaction.body
        assert isinstance(body, ItemsCompacted)
        before = self._runtime.reader.past(self._id, compaction.version - 1)
        taken = taken_items(before, compaction, agent)
        reader = ItemReader(self._runtime, self._id, before, erasure=None, whole=True)
        reader.items([item.id for item in taken])
        loaded = reader.loaded
        words = {item.id: words_of(loaded.messages[item.id]) for item in taken if item.id in loaded.messages}
        needs, answered = self._later(compaction, branch, agent, words)
        needed = matches(needs.first.keys(), words)
        likely = matches(self._standing(now, body.window, agent), words)
        pending = {item for call, item in before.open_calls.items() if call not in answered}
        kinds = {item.id: _kinds_of(item, loaded, pending) for item in taken}
        scores = {
            item.id: score(needed.shares.get(item.id, 0.0), likely.shares.get(item.id, 0.0), kinds[item.id])
            for item in taken
        }
        encoding = now.windows[body.window].encoding
        summarized = {*from_ranges(body.summarized)}
        items = []
        for item in sorted(taken, key=lambda item: (-scores[item.id], -item.id))[:limit]:
            messages = loaded.messages.get(item.id, ())
            used = used_of(needs, needed.rarity, words.get(item.id, Words()), messages)
            items.append(
                DroppedItem(
                    item=item.id,
                    type=item.type,
                    speaker=item.agent or item.role,
                    at=item.brought_at,
                    tokens=item.tokens_in(encoding),
                    line=_beginning(loaded, item),
                    kinds=kinds[item.id],
                    used=used.words,
                    used_at=used.step,
                    score=scores[item.id],
                    summarized=item.id in summarized,
                    gone=not is_in(now, item.id, body.window),
                )
            )
        return Dropped(
            session=self._id,
            compaction=compaction.version,
            at=compaction.occurred_at,
            window=body.window,
            algorithm=body.algorithm,
            trigger=body.trigger,
            steps=needs.steps,
            left=len(taken),
            gone=sum(not is_in(now, item.id, body.window) for item in taken),
            tokens=sum(item.tokens_in(encoding) for item in taken),
            items=tuple(items),
        )

    # Steps

    def _later(
        self, compaction: Event, branch: Lineage, agent: str | None, dropped: Mapping[int, Words]
    ) -> tuple[Needs, set[str]]:
        """What the steps after a compaction needed, and the calls that were answered in them."""
        assert isinstance(compaction.body, ItemsCompacted)
        window = compaction.body.window
        after = self._runtime.reader.past(self._id, compaction.version)
        kept = [item for item in after.live(window) if is_visible(item, window, agent)]
        needs, answered = Needs(self._words(after, kept)), set[str]()
        # What others keep to themselves says nothing here, also where an exchange of theirs goes on.
        hidden = {item.id for item in after.items.values() if not is_visible(item, window, agent)}
        read = ContentReader(self._runtime, branch).events_with_contents(
            islice(_versions_after(branch, compaction.version), MOST_EVENTS)
        )
        for version, (event, contents) in sorted(read.items()):
            brings, extends = event.effects.brings, event.effects.extends
            for returned in event.effects.returns:
                for item in returned.items if returned.window == window else ():
                    needs.add_words(dropped.get(item, Words()))
            if brings is not None and (
                window not in brings.windows or (brings.private and brings.agent != agent)
            ):
                hidden.add(version)
            if version in hidden or (brings is None and (extends is None or extends.item in hidden)):
                continue
            try:
                message = message_of(event, {(version, part): data for part, data in contents.items()})
            except ContentErased:
                continue
            results = [part for part in message.parts if part.kind == "tool_result"]
            answered.update(part.call_id for part in results if part.call_id is not None)
            said = tuple(part for part in message.parts if part.kind != "tool_result")
            if said and brings is not None and brings.type in CONVERSATION_TYPES:
                needs.add_step(version, Message(message.role, said))
            needs.add_words(words_of([message]))
        return needs, answered

    def _standing(self, now: ContextState, window: str, agent: str | None) -> Words:
        """The words of what the window is about now: its newest messages, the newest of the user, the current task and
        the files in focus."""
        said = [
            item
            for item in reversed(now.items.values())
            if item.type in CONVERSATION_TYPES and is_visible(item, window, agent)
        ]
        chosen = {item.id: item for item in said[:NEWEST]}
        chosen |= {item.id: item for item in islice(filter(is_of_user, said), 1)}
        if now.current_task is not None:
            task = now.items.get(now.tasks[now.current_task].item)
            if task is not None and is_visible(task, window, agent):
                chosen[task.id] = task
        return self._words(now, chosen.values()) + words_in("\n".join(now.focus.files))

    def _words(self, state: ContextState, items: Collection[Item]) -> Words:
        reader = ItemReader(self._runtime, self._id, state, erasure=None)
        found = Words()
        for messages in reader.messages([*items]).values():
            found.update(words_of(messages))
        return found


def compaction_event(runtime: Runtime, now: ContextState, branch: Lineage, version: int | None) -> Event:
    """A compaction of the branch, by default the newest that was not undone."""
    if version is None:
        if not now.compactions:
            raise UnknownItem("the session has no compaction, or each was undone.")
        version = now.compactions[-1]
    if not branch.contains(version):
        raise UnknownItem(f"version {version} is not on this branch.")
    event = ContentReader(runtime, branch).events([version])[version]
    if not isinstance(event.body, ItemsCompacted):
        raise UnknownItem(f"version {version} is no compaction.")
    return event


def taken_items(before: ContextState, compaction: Event, agent: str | None) -> list[Item]:
    """The items that a compaction took out of its window, as far as an agent may see them."""
    assert isinstance(compaction.body, ItemsCompacted)
    window = compaction.body.window
    return [
        before.items[item]
        for removal in compaction.effects.removes
        for item in removal.items
        if item in before.items and is_visible(before.items[item], window, agent)
    ]


def _versions_after(branch: Lineage, version: int) -> Iterator[int]:
    for _, first, last in branch:
        yield from range(max(first, version + 1), last + 1)


def _kinds_of(item: Item, loaded: LoadedItems, pending: Collection[int]) -> tuple[str, ...]:
    events = [loaded.events[version] for version in item.versions]
    return kinds_of(item, events, loaded.messages.get(item.id, ()), pending=item.id in pending)


def _beginning(loaded: LoadedItems, item: Item) -> str | None:
    messages = loaded.messages.get(item.id)
    return None if messages is None else snippet_of(passages(messages), (), LONGEST_LINE).text
