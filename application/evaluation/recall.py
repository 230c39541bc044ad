"""The recall gate: recorded sessions are lived through again under a policy, and at each call of a model it is asked
whether the prompt still holds what the answer made use of.

Several ways to cut prompts are asked at the same calls: full history and "keep only the last tool results" to
compare with, and a session of its own for each policy, which the recorded ones never notice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import NamedTuple, Protocol

from backstory.application.context.result import Context
from backstory.application.evaluation.recording import RecordedAction, Recording, Replayer, words_of
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain import events as e
from backstory.domain.context.recall import DecisionSaid, Ledger, Use, decisions_needed, holds, says
from backstory.domain.entities.code_names import Name, names_in
from backstory.domain.errors import BudgetTooSmall
from backstory.domain.messages import openai
from backstory.domain.messages.contents import Message
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, AssemblyPolicy
from backstory.domain.policies.summary import DEFAULT_SUMMARY, SummaryPolicy
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.infrastructure.llm.tokens import count_parts, count_tokens

MESSAGE_TOKENS = DEFAULT_ASSEMBLY.message_tokens
LEFT_OUT = "[result left out]"


class Prompt(NamedTuple):
    """What a call would be sent: its tokens, and its words."""

    tokens: int
    text: str | None
    """None for all that was ever said."""

    def holds(self, name: str) -> bool:
        return self.text is None or holds(self.text, name)

    def says(self, statement: str) -> bool:
        return self.text is None or says(self.text, statement)


class Strategy(Protocol):
    """A way to make prompts of what has happened so far."""

    @property
    def name(self) -> str: ...

    def take(self, deed: RecordedAction) -> None:
        """One more thing happened."""

    def before_call(self, at: datetime) -> None:
        """A model is about to be called: the time to make room."""

    def prompt(self, at: datetime) -> Prompt:
        """What the call is sent. Not asked for at every call."""


@dataclass
class FullHistory:
    """Everything that was said, in every call."""

    name: str = "full history"
    _tokens: int = 0

    def take(self, deed: RecordedAction) -> None:
        said = _Said.of(deed)
        self._tokens += 0 if said is None else said.tokens

    def before_call(self, at: datetime) -> None:
        return

    def prompt(self, at: datetime) -> Prompt:
        return Prompt(self._tokens, None)


class _Said(NamedTuple):
    """A message with its tokens and words, and the same without the results of tools."""

    words: str
    tokens: int
    is_result: bool = False

    @classmethod
    def of(cls, deed: RecordedAction) -> "_Said | None":
        if deed.message is None:
            if deed.type not in _SHOWN:
                return None
            return cls(deed.words, count_tokens(deed.words) + MESSAGE_TOKENS)
        tokens = count_parts(deed.message.parts) + MESSAGE_TOKENS
        return cls(deed.words, tokens, _is_result(deed.message))


_SHOWN = (e.SystemPromptSet.type, e.DecisionRecorded.type, e.ConstraintAdded.type)
"""What a plain list of messages would also have, somewhere."""


def _is_result(message: Message) -> bool:
    return any(part.kind == "tool_result" for part in message.parts)


@dataclass
class LastResults:
    """Every message, but of tool results only the newest few; a line stands for the others. Where that is more than the
    limit, the oldest messages leave, but not the system prompt and the first thing that was asked."""

    kept: int = 3
    limit: int | None = None
    label: str | None = None
    _said: list[_Said] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.label or f"last {self.kept} tool results"

    def take(self, deed: RecordedAction) -> None:
        said = _Said.of(deed)
        if said is not None:
            self._said.append(said)

    def before_call(self, at: datetime) -> None:
        return

    def prompt(self, at: datetime) -> Prompt:
        shown: list[_Said] = []
        results = 0
        for said in reversed(self._said):
            results += said.is_result
            cut = said.is_result and results > self.kept
            shown.append(_left_out() if cut else said)
        first, rest = shown[::-1][:2], shown[::-1][2:]
        tokens = sum(said.tokens for said in (*first, *rest))
        start = 0
        while self.limit is not None and tokens > self.limit and start < len(rest) - 1:
            tokens -= rest[start].tokens
            start += 1
        return Prompt(tokens, "\n".join(said.words for said in (*first, *rest[start:])))


@cache
def _left_out() -> _Said:
    """The words in place of a tool result that is left out."""
    return _Said(LEFT_OUT, count_tokens(LEFT_OUT) + MESSAGE_TOKENS)


@dataclass
class UnderPolicy:
    """A session that is kept as the policies say: checked before each call, and its context put together. It is a new
    session of this store, which should be one that nobody needs."""

    store: ContextStore
    limit: int
    name: str = "default"
    assembly: AssemblyPolicy = DEFAULT_ASSEMBLY
    window: WindowPolicy = DEFAULT_WINDOW
    summary: SummaryPolicy | None = DEFAULT_SUMMARY
    budget: int | None = None
    """Of each context; None for the window's limit."""
    pins_task: bool = True
    """Whether the first thing that a user asks for is pinned, as an orchestrator does with what a run is about."""

    def __post_init__(self) -> None:
        self.session: Session = self.store.start(title=f"recall of {self.name}", limit=self.limit)
        if self.window != DEFAULT_WINDOW:
            self.session.choose_policy(self.window)
        self._repeater = Replayer(self.session)
        self._pinned = False

    def take(self, deed: RecordedAction) -> None:
        self._repeater.repeat(deed)
        if self.pins_task and not self._pinned and deed.message is not None and deed.message.role == "user":
            self._pinned = True
            self.session.occurred(deed.at).pin(self.session.version)

    def before_call(self, at: datetime) -> None:
        self.session.occurred(at).before_call()
        try:
            self._made = self._context(self.budget, at)
        except BudgetTooSmall as small:
            # A result that is larger than the budget is what the call is about: then it gets what it needs.
            self._made = self._context(small.needed, at)

    def prompt(self, at: datetime) -> Prompt:
        return Prompt(self._made.tokens, _words(self._made.messages))

    def _context(self, budget: int | None, at: datetime) -> Context:
        return self.session.occurred(at).context(
            budget, policy=self.assembly, summary=self.summary, as_of=at, format="openai"
        )


def _words(messages: Sequence[dict[str, object]]) -> str:
    return words_of([openai.parse(message) for message in messages])


@dataclass
class Measured:
    """What one way came to in one recording, over the calls that were looked at."""

    way: str
    recording: str
    calls: int = 0
    tokens: int = 0
    """Of all these prompts together."""
    most_tokens: int = 0
    uses: list[Use] = field(default_factory=list)
    decisions_needed: int = 0
    decisions_held: int = 0

    @property
    def tokens_per_call(self) -> float:
        return self.tokens / max(1, self.calls)

    def share(self, kind: str | None = None, *, far: bool = False) -> float | None:
        """Of the names that were used and said before, those that the prompt held: all, of one kind, or of those that
        were not among the newest messages. None where nothing was used."""
        counted = [use.held for use in self.uses if kind in (None, use.name.kind) and (use.far or not far)]
        return sum(counted) / len(counted) if counted else None


def measure(recording: Recording, ways: Iterable[Strategy], *, every: int = 1) -> list[Measured]:
    """Lives through a recording in all these ways at once. At every call, or every so many, each way's prompt is
    asked what it holds of what the answer uses."""
    asked = [(way, Measured(way.name, recording.name)) for way in ways]
    ledger, decisions = Ledger(), list[DecisionSaid]()
    calls = 0
    for deed in recording.deeds:
        words = deed.words
        if deed.is_answer:
            calls += 1
            for way, _ in asked:
                way.before_call(deed.at)
            if calls % every == 0:
                uses = list(ledger.uses(words))
                needed = list(decisions_needed(names_in(words), decisions))
                for way, measured in asked:
                    _ask(way.prompt(deed.at), measured, uses, needed)
        for way, _ in asked:
            way.take(deed)
        if deed.type == e.SystemPromptSet.type:
            ledger.prompted(words)
        elif deed.message is not None:
            ledger.said(words)
        if deed.type == e.DecisionRecorded.type:
            decisions.append(DecisionSaid(deed.texts.get("text", ""), frozenset(names_in(words))))
    return [measured for _, measured in asked]


def _ask(
    prompt: Prompt, measured: Measured, uses: Iterable[tuple[Name, int]], needed: Iterable[DecisionSaid]
) -> None:
    measured.calls += 1
    measured.tokens += prompt.tokens
    measured.most_tokens = max(measured.most_tokens, prompt.tokens)
    measured.uses += [Use(name, ago, prompt.holds(name.text)) for name, ago in uses]
    for decision in needed:
        measured.decisions_needed += 1
        measured.decisions_held += prompt.says(decision.text)
