"""Compactions: items leave a window, and a summary or stubs stand for them."""

from collections import Counter
from dataclasses import replace
from functools import partial

from backstory.application.checkpoints.creation import checked_policy, window_policy
from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.window.compaction_progress import AskedBefore, Progress
from backstory.application.window.results import Compacted
from backstory.application.window.stubs import Stubber, append_for
from backstory.application.window.summary import CompactionSummary, SummaryMaker
from backstory.application.writing.append import known_append
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.new_items import text_item
from backstory.application.writing.requests import Request, key_of
from backstory.domain.commands import contexts
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.events import ItemsCompacted, ResultsStubbed
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import from_ranges
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import Item
from backstory.domain.search.terms import terms
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW, is_number, label, version_number
from backstory.domain.window.selection import (
    MEMORY,
    Selection,
    all_but_essentials,
    middle_messages,
    only,
    similar_messages,
)
from backstory.domain.window.validation import require_valid
from backstory.infrastructure.llm.summarizers import Summarizer

ALGORITHMS = (
    "adaptive",
    "session_summary",
    "preserve_summarize_discard",
    "clarifications",
    "everything",
    "stubs",
    "cluster",
    "archive",
)

OF_SEVERAL_EVENTS = ("adaptive", "cluster")
"""Algorithms that may append several events, each decided on the state after the one before."""

IMPORTANCE = 0.9
"""The importance of a compaction's summary: that of a decision, since it stands for many items."""


class Compactor(SessionPart):
    """Makes windows smaller."""

    def compact(
        self,
        algorithm: str = "adaptive",
        *,
        window: str = MAIN_WINDOW,
        first: int | None = None,
        last: int | None = None,
        policy: WindowPolicy | None = None,
        summarizer: Summarizer | None = None,
        trigger: str | None = None,
        threshold: float | None = None,
        dry_run: bool = False,
    ) -> Compacted:
        """Takes items out of a window and adds a summary that stands for them. The essentials always stay.

        | algorithm | takes out |
        |---|---|
        | adaptive | by usage: nothing below 50 %, then each of the next four |
        | stubs | the results of old tool exchanges; stubs stand for them |
        | clarifications | messages of the kind `clarification` |
        | preserve_summarize_discard | all messages but the newest ten; tool exchanges are only counted |
        | everything | all but the essentials |
        | session_summary | the messages from `first` to `last`, as preserve_summarize_discard does |
        | cluster | messages with similar content; each cluster gets a summary |
        | archive | all but the essentials; a memory of the session stands for them |

        preserve_summarize_discard does nothing below a usage of `threshold`, by default the policy's `compact_from` of
        70 %. A window without a limit has no usage, and is compacted.

        Messages that arrive meanwhile do not wait, and stay. See `expand` and `undo_compaction`. A key (`once`) stands
        for one append, so `adaptive` and `cluster`, which may make several, take none. If nothing was to be gained,
        nothing is appended and the key stays free."""
        if algorithm not in ALGORITHMS:
            raise InvalidInput("algorithm", f"must be one of {', '.join(ALGORITHMS)}, got {algorithm!r}")
        state = with_window(self._handle.state(), window)
        chosen = chosen_policy(state, policy)
        for name, version in (("first", first), ("last", last)):
            if version is not None:
                version_number(name, version)
        if trigger is not None:
            label("trigger", trigger)
        if threshold is not None:
            _check_threshold(algorithm, threshold)
        asked = None
        if self._handle.key is not None and not dry_run:
            asked = self._asked(
                algorithm, window=window, first=first, last=last, policy=chosen, trigger=trigger
            )
            known = known_append(self._runtime, self._id, key_of([asked], self._handle.key))
            if known is not None:
                return self._compacted_at(algorithm, known.first_version, known.last_version)
        done = Progress(
            algorithm, window, state.windows[window].tokens, trigger=trigger, dry_run=dry_run, asked=asked
        )
        least = chosen.compact_from if threshold is None else threshold
        if algorithm == "preserve_summarize_discard" and _usage(state, window) < least:
            return done.result(done.tokens)
        try:
            self.run(state, chosen, summarizer, done, first, last)
        except AskedBefore as before:
            found = before.appended
            return self._compacted_at(algorithm, found.first_version, found.last_version)
        return done.result(self._runtime.reader.state(self._id).windows[window].tokens)

    # Steps

    def _asked(self, algorithm: str, **how: object) -> Request:
        """The request that the key of a compaction stands for."""
        if algorithm in OF_SEVERAL_EVENTS:
            raise InvalidInput(
                "key", f"stands for one append, and {algorithm!r} may make several: name another algorithm"
            )

        def compact(state: ContextState, algorithm: str, how: dict[str, object]) -> Decided:
            raise TypeError("what was asked for is compared, not decided")

        return Request(
            ContentBundle(), partial(compact, algorithm=algorithm, how=how), self._handle.provenance
        )

    def _compacted_at(self, algorithm: str, first: int, last: int) -> Compacted:
        """The result of an earlier compaction, from its events."""
        reader = ContentReader.on_branch(self._runtime, self._id, last)
        bodies = [event.body for event in reader.events(range(first, last + 1)).values()]
        before, after = (self._runtime.reader.state(self._id, version) for version in (first - 1, last))
        compacted = [body for body in bodies if isinstance(body, ItemsCompacted)]
        stubbed = [body for body in bodies if isinstance(body, ResultsStubbed)]
        window = compacted[0].window if compacted else stubbed[0].window
        told = [body.summary for body in compacted if body.summary is not None]
        return Compacted(
            algorithm,
            window,
            tuple(range(first, last + 1)),
            first if told else None,
            tuple(item for body in compacted for item in from_ranges(body.summarized)),
            tuple(item for body in compacted for item in from_ranges(body.dropped)),
            tuple(sorted({item for body in stubbed for item in from_ranges(body.items)})),
            tuple(item for body in compacted for item in from_ranges(body.kept)),
            before.windows[window].tokens,
            after.windows[window].tokens,
            sum(body.tokens_before or 0 for body in compacted) + sum(body.tokens_before for body in stubbed),
            sum(body.tokens_after or 0 for body in compacted) + sum(body.tokens_after for body in stubbed),
            reader.texts([(first, told[0].part)]).get((first, told[0].part)) if told else None,
        )

    def run(
        self,
        state: ContextState,
        policy: WindowPolicy,
        summarizer: Summarizer | None,
        done: Progress,
        first: int | None = None,
        last: int | None = None,
    ) -> None:
        """Runs the algorithm, as far as it gains tokens."""
        window = done.window
        if done.algorithm == "adaptive":
            self._adapt(state, policy, summarizer, done)
        elif done.algorithm == "stubs":
            found = Stubber(self._handle).candidates(state, window, policy, done.next_tokens)
            Stubber(self._handle).stub(state, found, policy, done)
        elif done.algorithm == "cluster":
            self._cluster(state, policy, summarizer, done)
        else:
            maker = self._maker(state, window, policy, summarizer)
            selection = self._selected(done.algorithm, state, maker, policy, window, first, last)
            self._compact(state, selection, maker, policy, done)

    def _maker(
        self, state: ContextState, window: str, policy: WindowPolicy, summarizer: Summarizer | None
    ) -> SummaryMaker:
        return SummaryMaker(
            self._runtime, self._id, state, window=window, policy=policy, summarizer=summarizer
        )

    def _selected(
        self,
        algorithm: str,
        state: ContextState,
        maker: SummaryMaker,
        policy: WindowPolicy,
        window: str,
        first: int | None = None,
        last: int | None = None,
    ) -> Selection:
        if algorithm in ("everything", "archive"):
            return all_but_essentials(state, window, policy)
        middle = middle_messages(state, window, policy, first, last)
        if algorithm == "clarifications":
            return only(middle, maker.clarifications(middle.summarized))
        return middle

    def _adapt(
        self, state: ContextState, policy: WindowPolicy, summarizer: Summarizer | None, done: Progress
    ) -> None:
        """ForgeMind's adaptive compression: each step while the usage is still that of the step."""
        found = state.windows[done.window]
        if found.limit is None:
            raise InvalidInput("window", f"{done.window!r} has no limit to adapt to: see window.configure")
        usage = found.tokens / found.limit
        if usage >= policy.stubs_from:
            Stubber(self._handle).stub(
                state, Stubber(self._handle).candidates(state, done.window, policy), policy, done
            )
        steps = (
            (policy.warning, "clarifications"),
            (policy.checkpoint_from, "preserve_summarize_discard"),
            (policy.low_space, "everything"),
        )
        for threshold, algorithm in steps:
            if usage < threshold:
                return
            state = state if done.dry_run else self._handle.state()
            if state.windows[done.window].tokens / found.limit < threshold:
                return
            maker = self._maker(state, done.window, policy, summarizer)
            selection = self._selected(algorithm, state, maker, policy, done.window)
            self._compact(state, selection, maker, policy, done, algorithm)

    def _cluster(
        self, state: ContextState, policy: WindowPolicy, summarizer: Summarizer | None, done: Progress
    ) -> None:
        middle = middle_messages(state, done.window, policy)
        maker = self._maker(state, done.window, policy, summarizer)
        maker.item_reader.items(middle.leaving)
        texts = maker.item_reader.derive(
            [state.items[item] for item in middle.leaving if state.items[item].type == "message"],
            "terms",
            partial(_terms, maker.item_reader),
            lambda found: 120 * len(found),
        )
        for cluster in similar_messages(
            texts, similarity=policy.cluster_similarity, size=policy.cluster_size
        ):
            selection = Selection(cluster, (), tuple(sorted(set(middle.kept))))
            self._compact(state, selection, maker, policy, done)

    def _compact(
        self,
        state: ContextState,
        selection: Selection,
        maker: SummaryMaker,
        policy: WindowPolicy,
        done: Progress,
        algorithm: str | None = None,
    ) -> None:
        """Appends one compaction, unless the summary is as long as the items."""
        done.kept = selection.kept
        if not selection.leaving:
            return
        encoding = state.windows[done.window].encoding
        before = sum(state.items[item].tokens_in(encoding) for item in selection.leaving)
        if before < done.least and len(selection.leaving) < policy.messages_kept:
            return
        made = maker.summary_of(selection) if selection.summarized else None
        after = made.tokens if made is not None else 0
        if after >= before:
            return
        version = None
        if not done.dry_run:
            version = self._append_compaction(
                state, selection, made, policy, algorithm or done.algorithm, done
            )
            done.events.append(version)
        done.summarized += selection.summarized
        done.dropped += selection.dropped
        done.original += before
        done.compressed += after
        if made is not None:
            done.summary, done.text = version, made.text

    def _append_compaction(
        self,
        planned: ContextState,
        selection: Selection,
        made: CompactionSummary | None,
        policy: WindowPolicy,
        algorithm: str,
        done: Progress,
    ) -> int:
        bundle, window = self._handle.bundle(), done.window
        item = (
            text_item(
                self._handle,
                MEMORY if algorithm == "archive" else "summary",
                [made.text],
                IMPORTANCE,
                windows=(window,),
                origin="model",
            )
            if made is not None
            else None
        )
        decider = partial(
            contexts.compact_items,
            item=item if item is None else item.model_copy(update={"agent": None}),
            summary=bundle.text("summary", made.text) if made is not None else None,
            document=bundle.seal("document", made.document, "application/json") if made is not None else None,
            summarized=selection.summarized,
            dropped=selection.dropped,
            kept=selection.kept,
            window=window,
            algorithm=algorithm,
            policy=policy.name,
            policy_version=policy.version,
            summarizer=made.summarizer if made is not None else None,
            model=made.model if made is not None else None,
            fallback=bundle.optional("fallback", made.fallback) if made is not None else None,
            trigger=done.trigger,
        )

        def compact(state: ContextState) -> Decided:
            for gone in selection.leaving:
                if gone in state.items and state.items[gone].changed > planned.version:
                    raise Refused(f"item {gone} changed while it was summed up.")
            return require_valid(state, decider(state), window=window, policy=policy)

        request = Request(bundle, partial(compact), replace(self._handle.provenance, key=None))
        return append_for(self._handle, done, [request]).last_version


def _terms(item_reader: ItemReader, item: Item) -> Counter[str]:
    return terms(item_reader.loaded.own_words(item))


def _usage(state: ContextState, window: str) -> float:
    """The share of its limit that a window uses. One without a limit counts as full."""
    found = state.windows[window]
    return found.tokens / found.limit if found.limit else 1.0


def _check_threshold(algorithm: str, threshold: float) -> None:
    if algorithm != "preserve_summarize_discard":
        raise InvalidInput("threshold", f"is one of preserve_summarize_discard, not of {algorithm}")
    if not is_number(threshold) or not 0 <= threshold <= 1:
        raise InvalidInput(
            "threshold", f"must be a share of the window's limit, from 0 to 1, got {threshold!r}"
        )


def chosen_policy(state: ContextState, policy: WindowPolicy | None) -> WindowPolicy:
    """The given policy, else the one that the session has chosen."""
    checked_policy(policy)
    return policy or window_policy(state)


def with_window(state: ContextState, window: str) -> ContextState:
    """The state, if it has such a window."""
    if label("window", window) not in state.windows:
        raise InvalidInput("window", f"must be a window of the session, got {window!r}")
    return state
