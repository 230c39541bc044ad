"""A context of cached states and contents has the bytes of one that is made from the log alone."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from backstory import ContextStore, WindowPolicy
from backstory.application.bootstrap import make_runtime
from backstory.application.handle import SessionHandle
from backstory.application.session import Session
from backstory.domain.errors import Refused
from backstory.domain.policies.assembly import AssemblyPolicy

SMALL = AssemblyPolicy(
    name="small",
    notice=False,
    history_step=3,
    history_kept=2,
    older_candidates=12,
    entity_messages=6,
    entities=5,
)
AS_AGENTS = replace(SMALL, name="as agents", older_candidates=0)
"""No older item at all."""
AT_ONCE = WindowPolicy(name="at once", stub_results_older_than=0, stub_step=1, stub_least_tokens=1)
WORDS = (
    "`load_session()` in src/cache.py reads Redis, and read replicas lag behind.",
    "Use Postgres for the ledger; TimeoutError in deploy.sh again.",
    "OK.",
    "The billing service of @maria calls https://api.example.com twice.",
    "A retry budget, a read replica, an error budget.",
)


def _live(session: Session, chance: random.Random, *types: str) -> int:
    """Some item of these types."""
    found = [item.id for item in session.state.items.values() if item.type in types and item.windows]
    return chance.choice(found)


def _call(session: Session, chance: random.Random) -> None:
    call = f"call-{session.version}"
    session.tool_call("read", {"path": f"src/{call}.py"}, call_id=call)
    if chance.random() < 0.7:
        session.tool_result(call, f"class {call.title().replace('-', '')}: reads Redis. {WORDS[0]} " * 20)


def _answer(session: Session, chance: random.Random) -> None:
    for call in list(session.state.open_calls)[:1]:
        session.tool_result(call, "Nothing there.")


def _pin(session: Session, chance: random.Random) -> None:
    session.items.pin(_live(session, chance, "message"))


def _unpin(session: Session, chance: random.Random) -> None:
    for pin in list(session.state.pins)[:1]:
        session.items.unpin(pin)


def _remove(session: Session, chance: random.Random) -> None:
    removed = _live(session, chance, "message")
    session.items.remove(removed)
    if chance.random() < 0.5:
        session.message("Wait.")
        session.items.bring_back(removed)


def _without_caches(session: Session) -> Session:
    """The same session for somebody who has only the log."""
    return Session(SessionHandle.of(make_runtime(session._runtime.database), session.id))


DEEDS: list[Callable[[Session, random.Random], object]] = [
    *[lambda session, chance: session.message(chance.choice(WORDS))] * 6,
    *[lambda session, chance: session.message(chance.choice(WORDS), role="agent")] * 6,
    lambda session, chance: session.by("ada").items.save("note", "For me alone.", private=True),
    lambda session, chance: session.decide(chance.choice(WORDS)),
    lambda session, chance: session.work.set_goal("Ship it."),
    *[lambda session, chance: session.items.touch(_live(session, chance, "message", "tool_exchange"))] * 2,
    *[lambda session, chance: session.window.compact("stubs", policy=AT_ONCE)] * 2,
    lambda session, chance: session.message("Aside.", windows=["side"]),
    lambda session, chance: session.context(2_000, query="read replica", policy=SMALL, summary=None),
    lambda session, chance: session.erase(_live(session, chance, "message"), "asked for"),
    lambda session, chance: session.summarize(),
    lambda session, chance: session.tiers.update(),
    *[_call] * 4,
    _answer,
    _pin,
    _unpin,
    _remove,
]


@pytest.mark.parametrize(
    ("seed", "policy"),
    [*((seed, SMALL) for seed in range(4)), *((seed, AS_AGENTS) for seed in range(2))],
    ids=lambda given: getattr(given, "name", given),
)
def test_contexts_are_those_that_are_made_from_the_log(
    store: ContextStore, seed: int, policy: AssemblyPolicy
) -> None:
    chance = random.Random(seed)
    session = store.start()
    for number in range(12):
        session.message(f"{number}: {WORDS[number % 5]}", role="agent" if number % 2 else "user")
    for _ in range(40):
        deed = chance.choice(DEEDS)
        # What was erased is not erased again, and what has no result gets no stub.
        with suppress(Refused):
            deed(session, chance)
        now, budget = datetime.now(UTC), chance.choice([1_100, 1_600])
        asked: dict[str, Any] = {"as_of": now, "policy": policy, "summary": None}
        anew = _without_caches(session).context(budget, record=False, **asked)
        preview = session.context(budget, record=False, **asked) if chance.random() < 0.5 else None
        later = chance.random() < 0.4
        made = session.context(budget, record="with_answer" if later else True, **asked)
        for one in (made, preview or made):
            assert one.data == anew.data
            assert one.messages == anew.messages
            assert (one.sections, one.left_out) == (anew.sections, anew.left_out)
        recorded = made.version or session.version + 1
        if later:
            session.answered(made, chance.choice(WORDS), model=chance.choice([None, "gpt-5-mini"]))
        if chance.random() < 0.2:
            again = session.reproduce(recorded)
            assert again.ok, str(again)


@pytest.mark.parametrize(
    ("since", "policy"),
    [(2, SMALL), (12, SMALL), (12, replace(SMALL, entity_messages=40))],
    ids=["in the history", "among older items", "as what is mentioned"],
)
def test_what_was_erased_in_the_parent_leaves_the_contexts_of_a_fork(
    store: ContextStore, since: int, policy: AssemblyPolicy
) -> None:
    """The fork's own log does not tell of it."""
    session = store.start()
    secret = session.message("The password is hunter2, in src/keys.py.")
    fork = session.fork(session.version)
    for number in range(since):
        fork.message(f"{number}.", role="agent" if number % 2 else "user")
        shown = fork.context(1_600, policy=policy, summary=None).data
        assert b"password is hunter2" in shown
        assert b"src/keys.py" in shown
    session.erase(secret, "a secret")
    for _ in range(2):
        made = fork.context(1_600, policy=policy, summary=None)
        assert b"hunter2" not in made.data
        assert b"src/keys.py" not in made.data
        assert fork.reproduce(made.version or 0).ok
        fork.message("Go on.")
