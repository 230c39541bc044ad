"""How much of a prompt a provider may have in its cache: what it begins with like the one before.

Sessions are lived through again, with a context before each answer. Two shares tell different things. That of the
steady part says whether the bytes stay the same that should: the prompt before up to its last message, which shows the
state and older items as they are now and is written anew for every call. That of the whole prompt says what a cache
saves: new messages and that last message are in no cache, however steady all else is.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from statistics import mean, median
from typing import NamedTuple

from backstory import ContextStore
from backstory.context import Context
from backstory.domain.assembly.layout_3 import CONTEXT_OPENS
from backstory.domain.contents import Message, Part
from backstory.domain.errors import BudgetTooSmall
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, LONG_HISTORY, AssemblyPolicy
from backstory.recording import Deed, Recording, Repeater
from benchmarks.messages import MESSAGES
from benchmarks.window import RUNS, recorded, short_runs

CASES = ((8_000, DEFAULT_ASSEMBLY), (32_000, LONG_HISTORY))
BEGAN = datetime(2026, 4, 6, 9, 0, tzinfo=UTC)
CHAT_MESSAGES = 120
SEEDS = range(2_000, 2_004)


class Prefix(NamedTuple):
    """Over all calls of some sessions but the first of each."""

    what: str
    budget: int
    policy: str
    calls: int
    steady: tuple[float, ...]
    """For each call, the share of the steady part of the prompt before that it begins with."""
    cached: tuple[float, ...]
    """For each call, the share of its own bytes that the prompt before began with."""

    def line(self, shares: tuple[float, ...]) -> str:
        return f"mean {mean(shares):.0%}, median {median(shares):.0%}"

    @property
    def whole(self) -> float:
        """In how many calls all of the steady part stayed."""
        return sum(share == 1 for share in self.steady) / self.calls


def stable_prefixes(url: str) -> list[Prefix]:
    """A plain chat, made-up runs with tools and, where the machine has them, recorded ones."""
    kinds = {"plain chat": [_chat()], "made-up runs with tools": short_runs(SEEDS)}
    if RUNS.exists():
        kinds["recorded runs with tools"] = recorded(url, RUNS)
    with ContextStore.open(url) as store:
        return [
            _over(store, what, recordings, budget, policy)
            for what, recordings in kinds.items()
            for budget, policy in CASES
        ]


def _chat() -> Recording:
    """Turns of a user and an agent."""
    said = [
        Message(("user", "agent")[number % 2], (Part("text", MESSAGES[number].encode()),))
        for number in range(CHAT_MESSAGES)
    ]
    deeds = [
        Deed(number, BEGAN + timedelta(minutes=number), "message.added", message=message)
        for number, message in enumerate(said, 1)
    ]
    return Recording("chat", tuple(deeds))


def _over(
    store: ContextStore, what: str, recordings: Iterable[Recording], budget: int, policy: AssemblyPolicy
) -> Prefix:
    steady: list[float] = []
    cached: list[float] = []
    for recording in recordings:
        session = store.start(limit=200_000)
        repeater = Repeater(session)
        earlier: Context | None = None
        for deed in recording.deeds:
            if deed.is_answer:
                try:
                    later = session.context(budget, policy=policy)
                except BudgetTooSmall:
                    # A result larger than the budget: no call is made, and none is compared with.
                    earlier = None
                else:
                    if earlier is not None:
                        same = _in_common(earlier.data, later.data)
                        whole = len(_steady(earlier))
                        steady.append(min(same, whole) / whole)
                        cached.append(same / len(later.data))
                    earlier = later
            repeater.repeat(deed)
    return Prefix(what, budget, policy.name, len(steady), tuple(steady), tuple(cached))


def _in_common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _steady(context: Context) -> bytes:
    """The prompt's bytes up to the message that shows the state, which is the last one."""
    last = context.messages[-1]
    if not str(last["content"]).startswith(CONTEXT_OPENS):
        return context.data.removesuffix(b"]")
    tail = json.dumps(last, ensure_ascii=False, separators=(",", ":")).encode()
    assert context.data.endswith(tail + b"]")
    return context.data[: -len(tail) - 2]
