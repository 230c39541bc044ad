"""Appends and full turns of Backstory and its peers, and the first context of a store that was just opened."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from itertools import cycle
from random import Random
from statistics import median

import psycopg

from backstory import ContextStore
from benchmarks.goals import Row, ratio
from benchmarks.messages import MESSAGES
from benchmarks.peers.backstory_store import BUDGET, backstory_store, long_session
from benchmarks.peers.conversation import Open, Store
from benchmarks.peers.google_adk_store import adk_store
from benchmarks.peers.langgraph_store import langgraph_store
from benchmarks.peers.openai_agents_store import agents_store
from benchmarks.server import empty_database, fresh_database

OURS = "Backstory"
PEERS: dict[str, Open] = {
    "OpenAI Agents SQLAlchemySession": agents_store,
    "Google ADK DatabaseSessionService": adk_store,
    "LangGraph PostgresSaver": langgraph_store,
}
READS_ALL = "LangGraph PostgresSaver"
"""It cannot read its newest messages alone, so its turns are not compared."""
APPENDS = 60
EARLIER = 100
"""Messages of a conversation in which appends are timed."""
TURNS = {100: 30, 1_000: 30, 10_000: 15}
"""By the number of messages in the conversation, the turns that are timed in a round."""


def append_and_turn_rows(server: str, rounds: int) -> Iterator[Row]:
    appends, turns = asyncio.run(_measure(server, rounds))
    best = min(PEERS, key=appends.__getitem__)
    yield _against("append, p50", appends[OURS], best, appends[best], 0.5)
    ours = {}
    for messages, taken in turns.items():
        ours[messages] = taken.pop(OURS)
        best = min(taken, key=taken.__getitem__)
        what = f"full turn at {messages:,} messages, p50"
        yield _against(what, ours[messages], f"{best}, newest 20", taken[best], 1.0)
    first, last = min(ours), max(ours)
    detail = f"{ours[last]:.2f} ms, {ours[first]:.2f} ms at {first}"
    yield ratio(f"full turn at {last:,} messages against {first}", ours[last] / ours[first], 1.3, detail)


def _against(what: str, ours: float, peer: str, theirs: float, limit: float) -> Row:
    return ratio(what, ours / theirs, limit, f"{ours:.2f} ms; {peer} {theirs:.2f} ms")


async def _measure(server: str, rounds: int) -> tuple[dict[str, float], dict[int, dict[str, float]]]:
    """Milliseconds of an append by store, and of a turn by conversation length and store: medians."""
    opens = {OURS: backstory_store, **PEERS}
    urls = {name: (fresh_database if name == OURS else empty_database)(server) for name in opens}
    async with AsyncExitStack() as stack:
        stores = {name: await stack.enter_async_context(opens[name](urls[name])) for name in opens}
        appends = await _appends(stores, rounds)
        del stores[READS_ALL]
        turns = await _turns(stores, [urls[name] for name in stores], rounds)
    return appends, turns


async def _appends(stores: Mapping[str, Store], rounds: int) -> dict[str, float]:
    texts = cycle(MESSAGES)
    found: dict[str, list[float]] = {name: [] for name in stores}
    for _ in range(rounds):
        for name, store in stores.items():
            talk = await store.conversation(EARLIER)
            found[name].append(await _p50(lambda talk=talk: talk.append(next(texts)), APPENDS))  # type: ignore[misc]
    return {name: median(values) for name, values in found.items()}


async def _turns(stores: Mapping[str, Store], urls: list[str], rounds: int) -> dict[int, dict[str, float]]:
    texts = cycle(MESSAGES)
    talks = {size: {name: await store.conversation(size) for name, store in stores.items()} for size in TURNS}
    for url in urls:
        with psycopg.connect(url, autocommit=True) as connection:
            # As autovacuum does after a while. Without it, plans would be those for empty tables.
            connection.execute("vacuum analyze")
    found: dict[int, dict[str, list[float]]] = {size: {name: [] for name in stores} for size in TURNS}
    order, dice = list(stores), Random(7)
    for _ in range(rounds):
        for size, times in TURNS.items():
            # Each store waits for the writes that the one before it left to the disk, so the order changes.
            dice.shuffle(order)
            for name in order:
                talk = talks[size][name]
                taken = await _p50(lambda talk=talk: talk.turn(next(texts), next(texts)), times)  # type: ignore[misc]
                found[size][name].append(taken)
    return {
        size: {name: median(values) for name, values in by_name.items()} for size, by_name in found.items()
    }


async def _p50(work: Callable[[], Awaitable[object]], times: int, warm_up: int = 2) -> float:
    gc.collect()
    taken = []
    for number in range(warm_up + times):
        began = time.perf_counter()
        await work()
        if number >= warm_up:
            taken.append((time.perf_counter() - began) * 1000)
    return median(taken)


def first_context_row(url: str, rounds: int) -> Row:
    """The store is opened anew for each context; opening it is not timed."""
    with ContextStore.open(url) as store:
        session = long_session(store, 1_000).id
    taken = []
    for _ in range(4 * rounds):
        with ContextStore.open(url) as store:
            began = time.perf_counter()
            store.session(session).context(BUDGET, format="openai")
            taken.append((time.perf_counter() - began) * 1000)
    found = median(taken)
    return Row(
        "store just opened, first context at 1,000 messages", f"{found:.1f} ms", "≤ 40 ms", found <= 40
    )
