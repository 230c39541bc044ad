"""The measures: each takes the contenders in turns, so that a noisy moment hits all of them."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random
from statistics import median, quantiles
from typing import Any

import psycopg

from benchmarks.messages import MESSAGES
from benchmarks.rivals.conversation import Contender, Conversation, Refused, Store

WRITERS = 8
# What is in a conversation already when single appends are timed.
EARLIER = 100


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    rounds: int = 5
    appends: int = 60
    # Messages in the conversation, and how many turns are timed there in each round.
    turns: tuple[tuple[int, int], ...] = ((100, 30), (1_000, 30), (10_000, 15))
    live: int = 1_000
    each: int = 400


QUICK = Sizes(rounds=2, appends=30, turns=((100, 8), (1_000, 5)), live=200, each=50)


def _texts() -> Callable[[], str]:
    numbers = count()
    return lambda: MESSAGES[next(numbers) % len(MESSAGES)]


async def _nothing() -> None:
    pass


async def _times(
    work: Callable[[], Awaitable[object]],
    times: int,
    warm_up: int = 2,
    before: Callable[[], Awaitable[None]] = _nothing,
) -> list[float]:
    """Milliseconds of each call, after some that warm up. What others left behind is collected before."""
    gc.collect()
    taken = []
    for number in range(warm_up + times):
        await before()
        began = time.perf_counter()
        await work()
        if number >= warm_up:
            taken.append((time.perf_counter() - began) * 1000)
    return taken


async def open_stores(urls: Mapping[Contender, str], stack: AsyncExitStack) -> dict[str, Store]:
    """Each on its own database."""
    return {
        contender.name: await stack.enter_async_context(contender.open(url))
        for contender, url in urls.items()
    }


async def appends(stores: Mapping[str, Store], sizes: Sizes) -> dict[str, dict[str, float]]:
    """One message, milliseconds: the medians over the rounds of each round's p50 and p95."""
    text = _texts()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in stores}
    for _ in range(sizes.rounds):
        for name, store in stores.items():
            talk = await store.conversation(EARLIER)
            taken = await _times(lambda talk=talk: talk.append(text()), sizes.appends)  # type: ignore[misc]
            found[name].append((median(taken), quantiles(taken, n=20)[-1]))
    return {
        name: {"p50": median(pair[0] for pair in pairs), "p95": median(pair[1] for pair in pairs)}
        for name, pairs in found.items()
    }


async def turns(
    stores: Mapping[str, Store], urls: Iterable[str], sizes: Sizes
) -> dict[str, dict[str, float]]:
    """A full turn, p50 in milliseconds, by the number of messages in the conversation. The long conversations are made
    once: some turns more do not change their length by much."""
    text = _texts()
    longest = max(messages for messages, _ in sizes.turns)
    long = {name: await store.conversation(longest) for name, store in stores.items()}
    for url in urls:
        analyze(url)
    for talk in long.values():
        await talk.turn(text(), text())
    found: dict[str, dict[str, list[float]]] = {
        name: {str(messages): [] for messages, _ in sizes.turns} for name in stores
    }
    order, dice = list(stores), Random(7)
    for _ in range(sizes.rounds):
        for messages, times in sizes.turns:
            # In another order each time: what one store has left the disk and the caches to do, the next one waits for.
            dice.shuffle(order)
            for name in order:
                talk = long[name] if messages == longest else await stores[name].conversation(messages)
                taken = await _times(partial(_turn, talk, text), times, before=talk.prepare)
                found[name][str(messages)].append(median(taken))
    return {
        name: {messages: median(values) for messages, values in by_size.items()}
        for name, by_size in found.items()
    }


async def _turn(talk: Conversation, text: Callable[[], str]) -> int:
    return await talk.turn(text(), text())


async def live_conversations(stores: Mapping[str, Store], sizes: Sizes) -> dict[str, Conversation]:
    """Written message by message, as an agent would, and marked in the middle."""
    text = _texts()
    talks = {}
    for name, store in stores.items():
        talk = await store.conversation(0)
        for number in range(0, sizes.live, 2):
            if number == sizes.live // 2:
                await talk.mark()
            await talk.record(text(), text())
        talks[name] = talk
    return talks


async def middle(talks: Mapping[str, Conversation], sizes: Sizes) -> dict[str, float | None]:
    """Reading the conversation as it was in its middle, p50 in milliseconds; None where that is not offered."""
    found: dict[str, list[float]] = {name: [] for name in talks}
    for _ in range(sizes.rounds):
        for name, talk in talks.items():
            read = await talk.read_marked()
            if read is None:
                continue
            assert read == sizes.live // 2, f"{name} read {read} messages in the middle of {sizes.live}"
            found[name].append(median(await _times(talk.read_marked, 12)))
    return {name: median(values) if values else None for name, values in found.items()}


async def contended(store: Store, each: int) -> dict[str, float]:
    """Writers at once on one conversation, with threads where the client blocks: what was sent, refused and kept."""
    talk = await store.conversation(0)
    await talk.append(MESSAGES[0])
    writers = [await talk.another_writer() for _ in range(WRITERS)]

    async def write(writer: Conversation, seed: int) -> int:
        refused = 0
        for number in range(each):
            try:
                await writer.append(MESSAGES[(seed * each + number) % len(MESSAGES)])
            except Refused:
                refused += 1
        return refused

    def in_thread(writer: Conversation, seed: int) -> Awaitable[int]:
        return asyncio.to_thread(lambda: asyncio.run(write(writer, seed)))

    began = time.perf_counter()
    starts: Any = in_thread if store.blocks else write
    refused = await asyncio.gather(*(starts(writer, seed) for seed, writer in enumerate(writers)))
    seconds = time.perf_counter() - began
    kept = await talk.count() - 1
    return {
        "sent": WRITERS * each,
        "kept": kept,
        "refused": sum(refused),
        "kept_per_second": kept / seconds,
    }


def analyze(url: str) -> None:
    """What autovacuum does after a while: without it, plans would be those for empty tables."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


def disk(url: str) -> int:
    """Bytes of every table of a database, indexes and long values included."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("checkpoint")
        (size,) = connection.execute(
            "select sum(pg_total_relation_size(oid)) from pg_class where relkind in ('r', 'm') "
            "and relnamespace not in (select oid from pg_namespace where nspname ~ '^(pg_|information_schema)')"
        ).fetchone()  # type: ignore[misc]
    return int(size)
