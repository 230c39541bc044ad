"""The recall gate: replays recorded sessions under a policy, and checks at each model call whether the prompt holds
what the answer used. Several strategies are measured at the same calls: full history and "keep only the last tool
results" for comparison, and a separate session for each policy."""

from collections.abc import Iterable
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


class SentPrompt(NamedTuple):
    """The prompt of a call: its tokens and the texts of its messages."""

    tokens: int
    texts: tuple[str, ...] | None
    """None for the full history."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts or ())

    def holds(self, name: str) -> bool:
        return self.texts is None or holds(self.text, name)

    def says(self, statement: str) -> bool:
        return self.texts is None or says(self.text, statement)

    def has_message(self, text: str) -> bool:
        """Whether one of its messages says exactly this."""
        return self.texts is None or text in self.texts


class Strategy(Protocol):
    """A strategy to build prompts from what has happened so far."""

    @property
    def name(self) -> str: ...

    def take(self, action: RecordedAction) -> None:
        """Takes the next action."""

    def before_call(self, at: datetime) -> None:
        """Called before a model call: the time to make room."""

    def prompt(self, at: datetime) -> SentPrompt:
        """The prompt of the call. Not asked for at every call."""


@dataclass
class FullHistory:
    """The full history in every call."""

    name: str = "full history"
    _tokens: int = 0

    def take(self, action: RecordedAction) -> None:
        said = _MessageText.of(action)
        self._tokens += 0 if said is None else said.tokens

    def before_call(self, at: datetime) -> None:
        return

    def prompt(self, at: datetime) -> SentPrompt:
        return SentPrompt(self._tokens, None)


class _MessageText(NamedTuple):
    """A message with its text and tokens."""

    words: str
    tokens: int
    is_result: bool = False

    @classmethod
    def of(cls, action: RecordedAction) -> "_MessageText | None":
        if action.message is None:
            if action.type not in _SHOWN:
                return None
            return cls(action.words, count_tokens(action.words) + MESSAGE_TOKENS)
        tokens = count_parts(action.message.parts) + MESSAGE_TOKENS
        return cls(action.words, tokens, _is_result(action.message))


_SHOWN = (e.SystemPromptSet.type, e.DecisionRecorded.type, e.ConstraintAdded.type)
"""Events that a plain list of messages would also show."""


def _is_result(message: Message) -> bool:
    return any(part.kind == "tool_result" for part in message.parts)


@dataclass
class LastResults:
    """Every message, but only the newest tool results; a line replaces the others. Above the limit the oldest
    messages are dropped, except the system prompt and the first message."""

    kept: int = 3
    limit: int | None = None
    label: str | None = None
    _said: list[_MessageText] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.label or f"last {self.kept} tool results"

    def take(self, action: RecordedAction) -> None:
        said = _MessageText.of(action)
        if said is not None:
            self._said.append(said)

    def before_call(self, at: datetime) -> None:
        return

    def prompt(self, at: datetime) -> SentPrompt:
        shown: list[_MessageText] = []
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
        return SentPrompt(tokens, tuple(said.words for said in (*first, *rest[start:])))


@cache
def _left_out() -> _MessageText:
    """The replacement of a tool result that is left out."""
    return _MessageText(LEFT_OUT, count_tokens(LEFT_OUT) + MESSAGE_TOKENS)


@dataclass
class UnderPolicy:
    """A new session under these policies: checked before each call, with its context built. The store should be a
    scratch one."""

    store: ContextStore
    limit: int
    name: str = "default"
    assembly: AssemblyPolicy = DEFAULT_ASSEMBLY
    window: WindowPolicy = DEFAULT_WINDOW
    summary: SummaryPolicy | None = DEFAULT_SUMMARY
    budget: int | None = None
    """The budget of each context. None for the window's limit."""
    pins_task: bool = True
    """Whether the user's first message is pinned, as an orchestrator pins its task."""

    def __post_init__(self) -> None:
        self.session: Session = self.store.start(title=f"recall of {self.name}", limit=self.limit)
        if self.window != DEFAULT_WINDOW:
            self.session.window.choose_policy(self.window)
        self._replayer = Replayer(self.session)
        self._pinned = False

    def take(self, action: RecordedAction) -> None:
        self._replayer.repeat(action)
        if (
            self.pins_task
            and not self._pinned
            and action.message is not None
            and action.message.role == "user"
        ):
            self._pinned = True
            self.session.occurred(action.at).items.pin(self.session.version)

    def before_call(self, at: datetime) -> None:
        self.session.occurred(at).before_call()
        try:
            self._made = self._context(self.budget, at)
        except BudgetTooSmall as small:
            # A result that is larger than the budget is what the call is about: then it gets what it needs.
            self._made = self._context(small.needed, at)

    def prompt(self, at: datetime) -> SentPrompt:
        messages = [openai.parse(message) for message in self._made.messages]
        return SentPrompt(self._made.tokens, tuple(words_of([message]) for message in messages))

    def _context(self, budget: int | None, at: datetime) -> Context:
        return self.session.occurred(at).context(
            budget, policy=self.assembly, summary=self.summary, as_of=at, format="openai"
        )


@dataclass
class Measured:
    """The measurement of one strategy in one recording."""

    strategy: str
    recording: str
    calls: int = 0
    tokens: int = 0
    """The sum over all prompts."""
    most_tokens: int = 0
    uses: list[Use] = field(default_factory=list)
    decisions_needed: int = 0
    decisions_held: int = 0
    instructed: int = 0
    """Prompts of calls after the user had said something."""
    instructions_held: int = 0
    """Those that have the newest of it as a message."""

    @property
    def tokens_per_call(self) -> float:
        return self.tokens / max(1, self.calls)

    def share(self, kind: str | None = None, *, far: bool = False) -> float | None:
        """The share of used names that the prompt held: all, of one kind, or only those not among the newest
        messages. None if nothing was used."""
        counted = [use.held for use in self.uses if kind in (None, use.name.kind) and (use.far or not far)]
        return sum(counted) / len(counted) if counted else None


def measure(recording: Recording, strategies: Iterable[Strategy], *, every: int = 1) -> list[Measured]:
    """Replays a recording with all strategies at once. At every call, or every few, each prompt is checked for what
    the answer uses."""
    asked = [(strategy, Measured(strategy.name, recording.name)) for strategy in strategies]
    ledger, decisions = Ledger(), list[DecisionSaid]()
    calls, instruction = 0, None
    for action in recording.actions:
        words = action.words
        if action.is_answer:
            calls += 1
            for strategy, _ in asked:
                strategy.before_call(action.at)
            if calls % every == 0:
                uses = list(ledger.uses(words))
                needed = list(decisions_needed(names_in(words), decisions))
                for strategy, measured in asked:
                    _ask(strategy.prompt(action.at), measured, uses, needed, instruction)
        for strategy, _ in asked:
            strategy.take(action)
        if action.type == e.SystemPromptSet.type:
            ledger.prompted(words)
        elif action.message is not None:
            ledger.said(words)
            if action.message.role == "user" and not _is_result(action.message) and words:
                instruction = words
        if action.type == e.DecisionRecorded.type:
            decisions.append(DecisionSaid(action.texts.get("text", ""), frozenset(names_in(words))))
    return [measured for _, measured in asked]


def _ask(
    prompt: SentPrompt,
    measured: Measured,
    uses: Iterable[tuple[Name, int]],
    needed: Iterable[DecisionSaid],
    instruction: str | None,
) -> None:
    measured.calls += 1
    measured.tokens += prompt.tokens
    measured.most_tokens = max(measured.most_tokens, prompt.tokens)
    measured.uses += [Use(name, ago, prompt.holds(name.text)) for name, ago in uses]
    for decision in needed:
        measured.decisions_needed += 1
        measured.decisions_held += prompt.says(decision.text)
    if instruction is not None:
        measured.instructed += 1
        measured.instructions_held += prompt.has_message(instruction)
