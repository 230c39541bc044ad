"""Stubs: old tool results that a window shows in short, and whole again."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from backstory.application.contents.items import ItemReader
from backstory.application.handle import SessionHandle, SessionPart
from backstory.application.window.compaction_progress import AskedBefore, Progress
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import compaction
from backstory.domain.errors import ItemNotLive
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING
from backstory.domain.window.stubs import (
    crowded_exchanges,
    crowding_results,
    repeated_results,
    results_of,
    stub_candidates,
    whole_exchanges,
)
from backstory.infrastructure.llm.tokens import count_parts
from backstory.infrastructure.postgres.append import Appended


class Stubber(SessionPart):
    """Shows old tool results as stubs, and whole again."""

    def restore_results(self, *items: int) -> int:
        """Shows the whole results of tool exchanges that are shown as stubs. Returns the version of the event."""
        state = self._handle.state()
        stubs = [item for item in items if item in state.stubs]
        if not stubs:
            raise ItemNotLive("none of the items is shown as a stub.")
        whole = ItemReader.of_newest(self._runtime, self._id, state, whole=True)
        whole.items(stubs)
        requests = []
        for encoding, of_these in self._by_encoding(state, stubs).items():
            tokens = {
                item: sum(count_parts(message.parts, encoding) for message in whole.loaded.messages[item])
                for item in of_these
                if item in whole.loaded.messages
            }
            decider = partial(compaction.restore_results, encoding=encoding, tokens=tokens)
            requests.append(Request(ContentBundle(), decider, self._handle.provenance))
        done = self._handle.append(requests, key=self._handle.key)
        return done.last_version

    # Steps

    def candidates(
        self, state: ContextState, window: str, policy: WindowPolicy, next_tokens: int = 0
    ) -> list[int]:
        """The exchanges whose results should become stubs."""
        crowding = self.crowding(state, window, policy, next_tokens)
        item_reader = ItemReader.of_newest(self._runtime, self._id, state, whole=True)
        exchanges = whole_exchanges(state, window)
        results = item_reader.derive(exchanges, "results", partial(_results, item_reader))
        found = stub_candidates(state, window, policy, repeated_results(results), exchanges)
        return sorted({*found, *crowding})

    def crowding(self, state: ContextState, window: str, policy: WindowPolicy, next_tokens: int) -> list[int]:
        """The recent exchanges whose results leave no room for the essentials."""
        crowded = crowded_exchanges(state, window, policy, next_tokens)
        if not crowded:
            return []
        whole = ItemReader.of_newest(self._runtime, self._id, state, whole=True)
        encoding = state.windows[window].encoding or DEFAULT_ENCODING
        stubs = self._stub_tokens(whole, state, [item.id for item in crowded], encoding)
        return crowding_results(state, window, policy, stubs, next_tokens)

    def stub(self, state: ContextState, wanted: Sequence[int], policy: WindowPolicy, done: Progress) -> None:
        """Turns the results of exchanges into stubs where that makes them smaller."""
        whole = ItemReader.of_newest(self._runtime, self._id, state, whole=True)
        requests, left_out = [], set[int]()
        original = compressed = 0
        for encoding, items in self._by_encoding(state, wanted).items():
            tokens = {
                item: count
                for item, count in self._stub_tokens(whole, state, items, encoding).items()
                if count < state.items[item].tokens_in(encoding)
            }
            if not tokens:
                continue
            left_out |= set(tokens)
            if encoding == self._handle.encoding([done.window]):
                original = sum(state.items[item].tokens_in(encoding) for item in tokens)
                compressed = sum(tokens.values())
            decider = partial(
                compaction.stub_results,
                encoding=encoding,
                tokens=tokens,
                window=done.window,
                policy=policy.name,
                policy_version=policy.version,
                trigger=done.trigger,
            )
            requests.append(Request(ContentBundle(), decider, replace(self._handle.provenance, key=None)))
        if not requests:
            return
        if not done.dry_run:
            appended = append_for(self._handle, done, requests)
            done.events += range(appended.first_version, appended.last_version + 1)
        done.stubbed += sorted(left_out)
        done.original += original
        done.compressed += compressed

    def _stub_tokens(
        self, whole: ItemReader, state: ContextState, items: Sequence[int], encoding: str
    ) -> dict[int, int]:
        """By exchange, its tokens as a stub. Exchanges with erased contents are left out."""
        # Those that are no shorter as a stub are looked at again at each check: that must cost nothing.

        def as_stub(item: Item) -> int:
            return sum(count_parts(message.parts, encoding) for message in whole.as_stub(item))

        return whole.derive([state.items[item] for item in items], ("stub tokens", encoding), as_stub)

    def _by_encoding(self, state: ContextState, items: Sequence[int]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for item in items:
            for encoding in compaction.encodings_of(state, state.items[item]):
                found.setdefault(encoding, []).append(item)
        return found


def _results(item_reader: ItemReader, item: Item) -> bytes:
    return results_of(item_reader.loaded.messages[item.id])


def append_for(handle: SessionHandle, done: Progress, requests: Sequence[Request]) -> Appended:
    """Appends the events of a compaction, under its key if it has one."""
    asked = done.asked
    appended = handle.append(
        requests,
        key=None if asked is None else asked.provenance.key,
        asked=None if asked is None else [asked],
    )
    if appended.repeated:
        raise AskedBefore(appended)
    return appended
