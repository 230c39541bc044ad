"""What a session shows: the context of the next call, past contexts made again, the summary, what is mentioned."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal
from uuid import UUID

from backstory.application.contents.items import item_reader_of
from backstory.application.contents.reader import ContentReader
from backstory.application.context.assemble import Assembled, Assembler
from backstory.application.context.composing import entities_in
from backstory.application.context.foreseeing import Usual, note_usual, take_foreseen
from backstory.application.context.noticing import NOTICER, has_to_track, is_due, look_through
from backstory.application.context.reproduce import Saw, reproduce, saw
from backstory.application.context.request import Wanted
from backstory.application.context.result import Context, Postponed, Reproduction
from backstory.application.context.summing_up import source_of, sum_up
from backstory.application.runtime import in_epoch
from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.commands import contexts, facts
from backstory.domain.context.composition import checked_format
from backstory.domain.context.history import SAID, is_visible
from backstory.domain.entities.entities import EXTRACTOR_VERSION, Entity
from backstory.domain.errors import (
    BackstoryError,
    BudgetTooSmall,
    ContentErased,
    IdempotencyConflict,
    InvalidInput,
    Refused,
    SummaryRefused,
    VersionConflict,
)
from backstory.domain.events import Change, ContextAssembled
from backstory.domain.log.guards import Guard
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, AssemblyPolicy
from backstory.domain.policies.summary import DEFAULT_SUMMARY, SummaryPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import (
    DEFAULT_ENCODING,
    LARGEST,
    MAIN_WINDOW,
    aware,
    label,
    version_number,
    whole_number,
)
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.llm.tokens import count_lines
from backstory.infrastructure.observability.observing import watched
from backstory.infrastructure.states.newest_states import Memory

WITH_ANSWER = "with_answer"


class Seeing(WriterBase):
    """The side of a session that models and auditors see."""

    @watched("context")
    def context(
        self,
        budget: int | None = None,
        *,
        query: str | None = None,
        agent: str | None = None,
        window: str = MAIN_WINDOW,
        format: Literal["openai", "anthropic", "markdown", "parts"] = "openai",
        reserve: int | None = None,
        policy: AssemblyPolicy = DEFAULT_ASSEMBLY,
        summary: SummaryPolicy | None = DEFAULT_SUMMARY,
        as_of: datetime | None = None,
        record: bool | Literal["with_answer"] = True,
    ) -> Context:
        """What the next call of a model should see, within `budget` tokens for prompt and response together; by
        default the window's limit. It is recorded, so that it can be made again: see `reproduce`. Before that,
        decisions are noticed in new messages, and when enough of them came the session is summed up (`summary`; None
        for never).

        With a `query`, older items are chosen by what it asks for. `agent`, by default who asks, sees its own private
        items; nobody sees those of others. `reserve` is kept for the response.

        With `record="with_answer"` it is `answered` that records it, together with what came of it: one append less in
        every turn, and no trace of a call that nobody tells of. With `record=False` it is a preview: nothing is
        written."""
        _check_summary_policy("summary", summary)
        if record not in (True, False, WITH_ANSWER):
            raise InvalidInput("record", f"must be true, false or {WITH_ANSWER!r}, got {record!r}")
        wanted_at = partial(
            self._wanted,
            budget=budget,
            query=query,
            agent=agent,
            window=window,
            format=format,
            reserve=reserve,
            policy=policy,
            as_of=as_of,
        )
        bundle = ContentBundle()
        asked = bundle.optional("query", query)
        if not record:
            return self._preview(wanted_at, asked)
        if record == WITH_ANSWER:
            return self._for_answer(wanted_at, summary, bundle, asked)
        if (quick := self._quick_context(wanted_at, summary, bundle, asked)) is not None:
            return quick
        state = self._runtime.state_in_epoch(self.id, self.epoch)
        wanted = wanted_at(state)
        if (first := self._asked_before(wanted)) is not None:
            return first
        assembled, state = self._tracked_and_assembled(state, wanted, summary)
        change = _assembly(wanted, asked, state, assembled)
        try:
            version = self._write(bundle, change)
        except IdempotencyConflict:
            # Asked at the same time under the same key, the other one came first.
            if (first := self._asked_before(wanted)) is None:
                raise
            return first
        return _context(assembled, self.id, version, change)

    def reproduce(self, version: int) -> Reproduction:
        """The context that was recorded at a version, made again and compared. Where a content was erased since, it
        says which, and that nothing can be made again."""
        return reproduce(self._runtime, self.id, version_number("version", version))

    def saw(self, version: int) -> Saw:
        """What the model saw before it decided this: the way from a decision to the exact prompt."""
        return saw(self._runtime, self.id, version_number("version", version))

    def summarize(
        self, summarizer: Summarizer | None = None, *, policy: SummaryPolicy = DEFAULT_SUMMARY
    ) -> int | None:
        """Sums the session up now, and returns the summary's version; None when nothing was said since the last one.
        Messages that arrive meanwhile are not held up, and belong to the next summary."""
        _check_summary_policy("policy", policy)
        return self._summed_up(self._runtime.state_in_epoch(self.id, self.epoch), summarizer, policy)

    def summary(self) -> str | None:
        """The newest session summary; None when there is none, or when it was erased."""
        state = self._runtime.reader.state(self.id)
        if state.summary is None:
            return None
        reader = ContentReader.on_branch(self._runtime, self.id, state.version)
        return reader.texts([(state.summary.item, 0)]).get((state.summary.item, 0))

    def entities(self, limit: int = 50, *, agent: str | None = None) -> tuple[Entity, ...]:
        """What all live messages mention, most recent and most frequent first, with the items that mention it."""
        whole_number("limit", limit, minimum=1)
        state = self._runtime.reader.state(self.id)
        said = [
            item.id
            for item in state.items.values()
            if item.type in SAID and is_visible(item, MAIN_WINDOW, agent)
        ]
        return entities_in(item_reader_of(self._runtime, self.id, state), said, limit)

    # Steps

    def _preview(self, wanted_at: Callable[[ContextState], Wanted], asked: ContentRef | None) -> Context:
        """The context of the newest state, made and not recorded."""

        def made(state: ContextState, memory: Memory) -> Context:
            wanted = wanted_at(state)
            assembled = self._assembled_from(state, memory, wanted, None, tracks=False)
            assert assembled is not None
            return _context(assembled, self.id, None, _assembly(wanted, asked, state, assembled))

        return self._runtime.reader.fresh(self.id, made)

    def _for_answer(
        self,
        wanted_at: Callable[[ContextState], Wanted],
        summary: SummaryPolicy | None,
        bundle: ContentBundle,
        asked: ContentRef | None,
    ) -> Context:
        """The context of the newest state, with what records it."""
        if self._provenance.key is not None:
            raise InvalidInput("key", "belongs to the answer, which records this context")

        def recorded_later(state: ContextState, wanted: Wanted, assembled: Assembled) -> Context:
            change = _assembly(wanted, asked, state, assembled)
            postponed = Postponed(Request(bundle, change, self._provenance), self.epoch)
            return _context(assembled, self.id, None, change, postponed)

        def made(state: ContextState, memory: Memory) -> Context | None:
            wanted = wanted_at(in_epoch(state, self.epoch))
            assembled = self._assembled_from(state, memory, wanted, summary)
            return None if assembled is None else recorded_later(state, wanted, assembled)

        if (context := self._runtime.reader.fresh(self.id, made)) is not None:
            return context
        state = self._runtime.state_in_epoch(self.id, self.epoch)
        wanted = wanted_at(state)
        assembled, state = self._tracked_and_assembled(state, wanted, summary)
        return recorded_later(state, wanted, assembled)

    def _tracked_and_assembled(
        self, state: ContextState, wanted: Wanted, summary: SummaryPolicy | None
    ) -> tuple[Assembled, ContextState]:
        """The context after what is due was noticed and summed up, and the state that it shows."""
        # First, so that a budget that is too small leaves nothing behind.
        assembled = self._assembled_now(state, wanted)
        if state.status == "open":
            tracked = self._tracked(state, wanted.policy, summary)
            if tracked is not state:
                with suppress(BudgetTooSmall):
                    assembled, state = self._assembled_now(tracked, wanted), tracked
        return assembled, state

    def _assembled_now(self, state: ContextState, wanted: Wanted) -> Assembled:
        """The context of a state that was read, with what is remembered of it where it is the one that is held."""
        with self._runtime.reader.lent(self.id) as held:
            same = held is not None and (held[0].version, held[0].recorded) == (state.version, state.recorded)
            memory = held[1] if held is not None and same else {}
            return Assembler(item_reader_of(self._runtime, self.id, state), wanted, memory).assemble()

    def _quick_context(
        self,
        wanted_at: Callable[[ContextState], Wanted],
        summary: SummaryPolicy | None,
        bundle: ContentBundle,
        asked: ContentRef | None,
    ) -> Context | None:
        """The context from the state that this process holds, recorded under the guard that nothing came after it. So
        the usual call, right after an append, reads nothing. None where the state is not the newest, or there is more
        to do: then nothing was written, and whatever was wrong may have been so only in the past."""
        if self._provenance.key is not None:
            return None
        with self._runtime.reader.lent(self.id) as held:
            if held is None or held[0].epoch != self.epoch:
                return None
            state, memory = held
            try:
                wanted = wanted_at(state)
                assembled = self._assembled_from(state, memory, wanted, summary)
            except BackstoryError:
                return None
            if assembled is None:
                return None
            change = _assembly(wanted, asked, state, assembled)
            guard = Guard(expected=state.version, recorded=state.recorded)
        try:
            version = self._write(bundle, change, guard)
        except VersionConflict:
            return None
        return _context(assembled, self.id, version, change)

    def _assembled_from(
        self,
        state: ContextState,
        memory: Memory,
        wanted: Wanted,
        summary: SummaryPolicy | None,
        *,
        tracks: bool = True,
    ) -> Assembled | None:
        """The context of a state, with what is remembered of it. None where something has to be noticed or summed up
        first; where nobody `tracks` it does not have to be."""
        asked = Usual(wanted, summary, tracks)
        assembled = take_foreseen(state, memory, asked)
        note_usual(state, memory, asked)
        if assembled is not None:
            return assembled
        item_reader = item_reader_of(self._runtime, self.id, state)
        if tracks and state.status == "open" and has_to_track(item_reader, wanted.policy, summary):
            return None
        return Assembler(item_reader, wanted, memory).assemble()

    def _asked_before(self, wanted: Wanted) -> Context | None:
        """The context that was recorded under this key, made again: asked twice, it is the same one."""
        key = self._provenance.key
        earlier = None if key is None else self._runtime.log.earlier_append(self.id, key)
        if earlier is None:
            return None
        body = (
            ContentReader.on_branch(self._runtime, self.id, earlier[1]).events([earlier[1]])[earlier[1]].body
        )
        same = isinstance(body, ContextAssembled) and (
            (body.budget, body.format, body.window, body.agent, body.query is None)
            == (wanted.budget, wanted.format, wanted.window, wanted.agent, wanted.query is None)
        )
        if not same:
            raise IdempotencyConflict("the idempotency key was used for another request.")
        made = self.reproduce(earlier[1])
        if made.context is None:
            raise ContentErased(str(made))
        return made.context

    def _wanted(
        self,
        state: ContextState,
        budget: int | None,
        query: str | None,
        agent: str | None,
        window: str,
        format: str,
        reserve: int | None,
        policy: AssemblyPolicy,
        as_of: datetime | None,
    ) -> Wanted:
        if label("window", window) not in state.windows:
            raise InvalidInput("window", f"must be a window of the session, got {window!r}")
        if budget is None:
            budget = state.windows[window].limit
            if budget is None:
                raise InvalidInput("budget", "must be given, since the window has no limit")
        for name, tokens in (("budget", budget), ("reserve", reserve)):
            if tokens is not None:
                whole_number(name, tokens, minimum=0, maximum=LARGEST)
        if not isinstance(policy, AssemblyPolicy):
            raise InvalidInput("policy", f"must be an AssemblyPolicy, got {type(policy).__name__}")
        if query is not None and (not isinstance(query, str) or not query.strip()):
            raise InvalidInput("query", "must be text that is not empty")
        return Wanted(
            budget=budget,
            format=checked_format(format),
            window=window,
            agent=self._provenance.actor if agent is None else label("agent", agent),
            query=query,
            reserve=reserve,
            policy=policy,
            as_of=aware("as_of", as_of) or self._provenance.occurred_at or datetime.now(UTC),
        )

    def _tracked(
        self, state: ContextState, policy: AssemblyPolicy, summary: SummaryPolicy | None
    ) -> ContextState:
        """The state after new messages were looked through and, when it is time, the session was summed up."""
        if policy.notice and self._notice(state):
            state = self._runtime.state_in_epoch(self.id, self.epoch)
        if summary is not None and is_due(state, summary) and self._summed_up_if_possible(state, summary):
            state = self._runtime.state_in_epoch(self.id, self.epoch)
        return state

    def _summed_up_if_possible(self, state: ContextState, policy: SummaryPolicy) -> bool:
        """Whether there is a new summary. One that was refused is tried again after as many messages as lie between
        two summaries, not at every call."""
        shelf = self._runtime.recent.shelf(self.id)
        tried = ("summary refused", state.epoch, state.message_count // policy.every)
        if tried in shelf:
            return False
        try:
            return self._summed_up(state, None, policy) is not None
        except SummaryRefused:
            self._runtime.recent.put(shelf, tried, True, 0)
            return False

    def _notice(self, state: ContextState) -> bool:
        """Records what new messages decide and what they ask to remember. Of two who look at once, one records it."""
        found = look_through(state, item_reader_of(self._runtime, self.id, state))
        for item, decisions, remember in found:
            said = Provenance(occurred_at=item.brought_at, cause=item.id)
            requests = []
            for place, noticed in enumerate(decisions):
                bundle = ContentBundle()
                fields: dict[str, Any] = {
                    "text": bundle.text("text", noticed.text),
                    "rationale": bundle.optional("rationale", noticed.rationale or None),
                }
                new = self._text_item("decision", [noticed.text, noticed.rationale or ""])
                wish = partial(
                    contexts.notice_decision,
                    item=new.model_copy(update={"agent": item.agent, "references": (item.id,)}),
                    place=place,
                    source=item.id,
                    decided_by=item.agent or item.role,
                    noticer=NOTICER,
                    **fields,
                )
                requests.append(Request(bundle, wish, said))
            if requests:
                self._append_unless_refused(requests)
            if remember:
                pin = partial(contexts.remember_message, item=item.id)
                self._append_unless_refused([Request(ContentBundle(), pin, said)])
        return bool(found)

    def _append_unless_refused(self, requests: list[Request]) -> None:
        try:
            self._runtime.decide_and_append(self.id, requests, epoch=self.epoch, key=None)
        except Refused:
            # Somebody else has recorded it, or the message has left meanwhile.
            return

    def _summed_up(
        self, state: ContextState, summarizer: Summarizer | None, policy: SummaryPolicy
    ) -> int | None:
        source, sources = source_of(self._runtime, self.id, state)
        if not sources:
            return None
        window = state.windows.get(MAIN_WINDOW)
        encoding = (window.encoding if window else None) or DEFAULT_ENCODING
        count: Callable[[str], int] = partial(count_lines, encoding=encoding)
        made = sum_up(
            summarizer or self._runtime.summarizer, source, most_tokens=policy.most_tokens, count=count
        )
        bundle = ContentBundle()
        text = made.document.to_markdown()
        replaces = state.summary.item if state.summary is not None else None
        wish = partial(
            contexts.make_summary,
            item=self._text_item("summary", [text]),
            replaces=replaces,
            text=bundle.text("text", text),
            document=bundle.seal("document", made.document.encode(), "application/json"),
            upto=state.version,
            sources=as_ranges(sources),
            summarizer=made.summarizer,
            model=made.model,
            prompt_version=made.prompt_version,
            fallback=bundle.optional("fallback", made.fallback),
            policy=policy.name,
        )
        request = Request(bundle, wish, replace(self._provenance, key=None))
        try:
            done = self._runtime.decide_and_append(self.id, [request], epoch=self.epoch, key=None)
        except Refused:
            newest = self._runtime.state_in_epoch(self.id, self.epoch).summary
            if newest is not None and newest.item != replaces:
                return newest.item
            raise
        return done.last_version


def _assembly(wanted: Wanted, asked: ContentRef | None, state: ContextState, assembled: Assembled) -> Change:
    """The event that records a context."""
    policy = wanted.policy
    return facts.assemble_context(
        assembled.found,
        at=state.version,
        as_of=wanted.as_of,
        format=wanted.format,
        renderer=policy.renderer,
        extractor=EXTRACTOR_VERSION,
        encoding=assembled.encoding,
        policy=policy.name,
        policy_version=policy.version,
        settings=policy.settings(),
        window=wanted.window,
        agent=wanted.agent,
        budget=wanted.budget,
        reserve=assembled.reserve,
        query=asked,
        sections=assembled.sections,
        left_out=assembled.left_out,
        tokens=assembled.tokens,
        prompt_sha256=assembled.sha256,
        prompt_bytes=len(assembled.composed.data),
    )


def _context(
    assembled: Assembled,
    session: UUID,
    version: int | None,
    change: Change,
    postponed: Postponed | None = None,
) -> Context:
    assert isinstance(change.body, ContextAssembled)
    return Context.of(
        assembled.composed, session, version, change.body, assembled.estimated, assembled.sha256, postponed
    )


def _check_summary_policy(field: str, policy: SummaryPolicy | None) -> None:
    if not isinstance(policy, SummaryPolicy) and (policy is not None or field == "policy"):
        raise InvalidInput(field, f"must be a SummaryPolicy, got {type(policy).__name__}")
