"""Builds the context of the next call: reads the newest state, assembles, and records."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, NamedTuple
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.context.assemble import Assembled, Assembler
from backstory.application.context.noticing import NOTICER, NoticedInMessage, is_due, look_through
from backstory.application.context.reproduce import Saw, reproduce, saw
from backstory.application.context.request import ContextRequest
from backstory.application.context.result import Context, Postponed, Reproduction
from backstory.application.context.summing_up import source_of, sum_up
from backstory.application.handle import SessionPart
from backstory.application.runtime import in_epoch
from backstory.application.writing.content_bundle import ContentBundle, json_bytes
from backstory.application.writing.new_items import text_item
from backstory.application.writing.requests import Provenance, Request
from backstory.domain.commands import contexts, facts
from backstory.domain.entities.entities import EXTRACTOR_VERSION
from backstory.domain.errors import (
    BudgetTooSmall,
    ContentErased,
    IdempotencyConflict,
    InvalidInput,
    Refused,
    SummaryRefused,
)
from backstory.domain.events import Change, ContextAssembled
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, AssemblyPolicy
from backstory.domain.policies.summary import DEFAULT_SUMMARY, SummaryPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import DEFAULT_ENCODING, MAIN_WINDOW, aware, listed, version_number
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.llm.tokens import count_lines
from backstory.infrastructure.observability.watchers import watched

WITH_ANSWER = "with_answer"


class Asked(NamedTuple):
    """The contents of a request, sealed."""

    query: ContentRef | None
    tools: ContentRef | None


class Built(NamedTuple):
    """A context of the newest state, and the change that records it."""

    assembled: Assembled
    change: Change
    tools: bytes | None

    def context(self, session: UUID, version: int | None, postponed: Postponed | None = None) -> Context:
        """The context as a caller gets it."""
        assembled, body = self.assembled, self.change.body
        assert isinstance(body, ContextAssembled)
        return Context.of(
            assembled.composed,
            session,
            version,
            body,
            tools=self.tools,
            estimated=assembled.estimated,
            sha256=assembled.sha256,
            postponed=postponed,
            in_pieces=version is None and postponed is None,
        )


class SessionContexts(SessionPart):
    """Builds contexts."""

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
        tools: Sequence[Mapping[str, Any] | object] | None = None,
        record: bool | Literal["with_answer"] = True,
        at: int | None = None,
    ) -> Context:
        """Returns the context of the next model call, within `budget` tokens for prompt and response together; by
        default the window's limit. The context is recorded, so that `reproduce` can rebuild it. Before that, decisions
        are noticed in new messages, and after enough messages the session is summed up (`summary`; None for never).

        With a `query`, most of the budget goes to what it finds in the log, in the window or not. `agent`, by default
        the caller, sees its own private items and nobody else's. `reserve` tokens are kept for the response. `tools`
        are the definitions of tools that you send with the prompt: they are recorded, and count towards the budget.

        With `record="with_answer"` the context is recorded by `answered`, together with the answer: one append less in
        every turn, but no trace of a call that is never reported. With `record=False` it is a preview: nothing is
        written. A preview may also show the context as it would have been `at` a version, by the clock of then."""
        _check_summary_policy("summary", summary)
        if record not in (True, False, WITH_ANSWER):
            raise InvalidInput("record", f"must be true, false or {WITH_ANSWER!r}, got {record!r}")
        if record == WITH_ANSWER and self._handle.key is not None:
            raise InvalidInput("key", "belongs to the answer, which records this context")
        if at is not None and record is not False:
            raise InvalidInput(
                "at", "must be left out unless record is False: only a preview shows a past version"
            )
        past = None if at is None else self._runtime.reader.past(self._id, version_number("at", at))
        as_of = aware("as_of", as_of) or (
            self._handle.provenance.occurred_at if past is None else past.last_activity
        )
        request = ContextRequest(
            budget=budget,
            format=format,
            window=window,
            agent=self._handle.actor if agent is None else self._runtime.agent(agent),
            query=query,
            reserve=reserve,
            policy=policy,
            as_of=as_of or datetime.now(UTC),
            tools=_tool_definitions(tools),
            told_as_of=as_of,
        )
        bundle = self._handle.bundle()
        asked = Asked(
            bundle.optional("query", query),
            None if request.tools is None else bundle.seal("tools", request.tools, "application/json"),
        )
        if record is False:
            return self._built(request, asked, past).context(self._id, None)
        if record is True and (first := self._recorded_before(request)) is not None:
            return first
        built = self._tracked_and_built(request, asked, summary)
        if record == WITH_ANSWER:
            postponed = Postponed(Request(bundle, built.change, self._handle.provenance), self._handle.epoch)
            return built.context(self._id, None, postponed)
        try:
            return built.context(self._id, self._handle.write(bundle, built.change))
        except IdempotencyConflict:
            # Asked at the same time under the same key, the other call came first.
            if (first := self._recorded_before(request)) is None:
                raise
            return first

    def reproduce(self, version: int) -> Reproduction:
        """Rebuilds the context that was recorded at a version, and compares the bytes. Where contents were erased
        since, the result names them instead."""
        return reproduce(self._runtime, self._id, version_number("version", version))

    def saw(self, version: int) -> Saw:
        """Returns what the model saw before a decision: the way from its version to the exact prompt."""
        return saw(self._runtime, self._id, version_number("version", version))

    def summarize(
        self, summarizer: Summarizer | None = None, *, policy: SummaryPolicy = DEFAULT_SUMMARY
    ) -> int | None:
        """Sums the session up now, and returns the summary's version; None when nothing was said since the last one.
        Messages that arrive meanwhile do not wait, and belong to the next summary."""
        _check_summary_policy("policy", policy)
        return self._summed_up(self._handle.state(), summarizer, policy)

    # Steps

    def _built(self, request: ContextRequest, asked: Asked, past: ContextState | None = None) -> Built:
        """The context of the newest state, or of a past one."""
        if past is not None:
            reader = ItemReader(self._runtime, past.stream, past, erasure=None)
            assembled = Assembler(reader, request).assemble()
            return Built(assembled, _recording(request, asked, past, assembled), request.tools)
        with self._runtime.reader.borrow(self._id) as state:
            assembled = Assembler(ItemReader.of_newest(self._runtime, self._id, state), request).assemble()
            return Built(assembled, _recording(request, asked, state, assembled), request.tools)

    def _tracked_and_built(
        self, request: ContextRequest, asked: Asked, summary: SummaryPolicy | None
    ) -> Built:
        """The context of the newest state, after decisions were noticed in new messages and, when it is time, the
        session was summed up."""
        noticed: list[NoticedInMessage] = []
        with self._runtime.reader.borrow(self._id) as state:
            open_ = in_epoch(state, self._handle.epoch).status == "open"
            item_reader = ItemReader.of_newest(self._runtime, self._id, state)
            # First, so that a budget that is too small leaves nothing behind.
            assembled = Assembler(item_reader, request).assemble()
            built = Built(assembled, _recording(request, asked, state, assembled), request.tools)
            if open_ and request.policy.notice:
                noticed = look_through(item_reader)
            due = open_ and summary is not None and is_due(state, summary)
        self._record(noticed)
        summed_up = due and summary is not None and self._summed_up_if_possible(summary)
        if noticed or summed_up:
            with suppress(BudgetTooSmall):
                built = self._built(request, asked)
        return built

    def _recorded_before(self, request: ContextRequest) -> Context | None:
        """The context that was recorded under the caller's key, reproduced: asked twice, it is the same one."""
        if (key := self._handle.key) is None:
            return None
        with self._runtime.reader.borrow(self._id) as state:
            budget = request.budget_in(in_epoch(state, self._handle.epoch))
        earlier = self._runtime.log.earlier_append(self._id, key)
        if earlier is None:
            return None
        version = earlier[1]
        body = ContentReader.on_branch(self._runtime, self._id, version).events([version])[version].body
        same = isinstance(body, ContextAssembled) and (
            (body.budget, body.format, body.window, body.agent, body.query is None, body.tools is None)
            == (
                budget,
                request.format,
                request.window,
                request.agent,
                request.query is None,
                request.tools is None,
            )
        )
        if not same:
            raise IdempotencyConflict("the idempotency key was used for another request.")
        reproduced = self.reproduce(version)
        if reproduced.context is None:
            raise ContentErased(str(reproduced))
        return reproduced.context

    def _record(self, noticed: list[NoticedInMessage]) -> None:
        """Records what new messages decide and what they ask to remember. Of two callers at once, one records it."""
        for item, decisions, remember in noticed:
            provenance = Provenance(occurred_at=item.brought_at, cause=item.id)
            requests = []
            for place, decision in enumerate(decisions):
                bundle = self._handle.bundle()
                fields: dict[str, Any] = {
                    "text": bundle.text("text", decision.text),
                    "rationale": bundle.optional("rationale", decision.rationale or None),
                }
                command = partial(
                    contexts.notice_decision,
                    place=place,
                    source=item.id,
                    decided_by=item.agent or item.role,
                    noticer=NOTICER,
                    **fields,
                )
                requests.append(Request(bundle, command, provenance))
            if requests:
                self._append_unless_refused(requests)
            if remember:
                pin = partial(contexts.remember_message, item=item.id)
                self._append_unless_refused([Request(ContentBundle(), pin, provenance)])

    def _append_unless_refused(self, requests: list[Request]) -> None:
        # Refused where somebody else has recorded it, or the message has left meanwhile.
        with suppress(Refused):
            self._handle.append(requests, key=None)

    def _summed_up_if_possible(self, policy: SummaryPolicy) -> bool:
        """Whether there is a new summary. One that was refused is tried again after as many messages as lie between
        two summaries, not at every call."""
        state, cache = self._handle.state(), self._runtime.contents
        tried = ("summary refused", state.epoch, state.message_count // policy.every)
        if cache.get(self._id, 0, tried):
            return False
        try:
            return self._summed_up(state, None, policy) is not None
        except SummaryRefused:
            cache.put(self._id, 0, tried, True, 0)
            return False

    def _summed_up(
        self, state: ContextState, summarizer: Summarizer | None, policy: SummaryPolicy
    ) -> int | None:
        source, sources = source_of(self._runtime, self._id, state)
        if not sources:
            return None
        window = state.windows.get(MAIN_WINDOW)
        encoding = (window.encoding if window else None) or DEFAULT_ENCODING
        count: Callable[[str], int] = partial(count_lines, encoding=encoding)
        made = sum_up(
            summarizer or self._runtime.summarizer, source, most_tokens=policy.most_tokens, count=count
        )
        bundle = self._handle.bundle()
        text = made.document.to_markdown()
        replaces = state.summary.item if state.summary is not None else None
        command = partial(
            contexts.make_summary,
            item=text_item(self._handle, "summary", [text], origin="model"),
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
        request = Request(bundle, command, replace(self._handle.provenance, key=None))
        try:
            done = self._handle.append([request], key=None)
        except Refused:
            newest = self._handle.state().summary
            if newest is not None and newest.item != replaces:
                return newest.item
            raise
        return done.last_version


def _recording(request: ContextRequest, asked: Asked, state: ContextState, assembled: Assembled) -> Change:
    """The change that records a context."""
    policy = request.policy
    return facts.assemble_context(
        assembled.found,
        at=state.version,
        as_of=request.as_of,
        format=request.format,
        renderer=policy.renderer,
        extractor=EXTRACTOR_VERSION,
        ranker=assembled.ranker,
        implied=None if assembled.implied is None else as_ranges(assembled.implied),
        encoding=assembled.encoding,
        policy=policy.name,
        policy_version=policy.version,
        settings=policy.settings(),
        window=request.window,
        agent=request.agent,
        budget=assembled.budget,
        reserve=assembled.reserve,
        query=asked.query,
        tools=asked.tools,
        project=assembled.memories.project,
        project_version=assembled.memories.version,
        sections=assembled.sections,
        left_out=assembled.left_out,
        tokens=assembled.tokens,
        prompt_sha256=assembled.sha256,
        prompt_bytes=len(assembled.composed.data),
    )


def _tool_definitions(tools: Sequence[Mapping[str, Any] | object] | None) -> bytes | None:
    """The definitions as JSON. No tools and an empty list are the same."""
    given = [] if tools is None else listed("tools", tools)
    if not given:
        return None
    data = json_bytes("tools", given)
    for place, one in enumerate(json.loads(data)):
        if not isinstance(one, dict):
            raise InvalidInput(f"tools[{place}]", "must be the definition of a tool, an object")
    return data


def _check_summary_policy(field: str, policy: SummaryPolicy | None) -> None:
    if not isinstance(policy, SummaryPolicy) and (policy is not None or field == "policy"):
        raise InvalidInput(field, f"must be a SummaryPolicy, got {type(policy).__name__}")
