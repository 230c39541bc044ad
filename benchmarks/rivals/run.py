"""The whole comparison, as plain values that can be kept."""

import asyncio
import os
import platform
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import psycopg

from benchmarks.rivals import measures
from benchmarks.rivals.contenders import CONTENDERS, DELTA, PATIENT, RECORDING
from benchmarks.rivals.conversation import Contender
from benchmarks.rivals.measures import Sizes
from benchmarks.server import empty_database

# A refused writer that repeats meets the others again and again, so this one is given a part of the messages.
PATIENT_SHARE = 32


def compare(server: str, sizes: Sizes, say: Callable[[str], None]) -> dict[str, Any]:
    """Everything, in some minutes; `say` hears what is being measured."""
    began = time.monotonic()
    about = _about(server, sizes)
    found = asyncio.run(_compare(server, sizes, say))
    about["seconds"] = round(time.monotonic() - began)
    # The benchmark itself keeps one or two cores busy; what is above that is somebody else's.
    about["load"] = round(os.getloadavg()[2], 1)
    say(f"compared in {about['seconds']} s, at a load of {about['load']}")
    return {"about": about, **found}


async def _compare(server: str, sizes: Sizes, say: Callable[[str], None]) -> dict[str, Any]:
    stored = [contender for contender in CONTENDERS if not contender.reads_differently]
    found: dict[str, Any] = {}
    async with AsyncExitStack() as stack:
        say("single appends")
        urls = {contender: empty_database(server) for contender in CONTENDERS}
        stores = await measures.open_stores(urls, stack)
        apart = {contender.name: stores[contender.name] for contender in stored}
        found["append"] = await measures.appends(apart, sizes)
        say("full turns")
        found["turn"] = await measures.turns(stores, urls.values(), sizes)
    say("conversations written live: disk, and reading in the middle")
    found |= await _live(server, [*stored, RECORDING], sizes)
    say("eight writers on one conversation")
    found["writers"] = {}
    # The channel decides what a checkpoint holds, not what becomes of two that are written at once.
    for contender in (*(one for one in stored if one is not DELTA), PATIENT):
        each = sizes.each // PATIENT_SHARE if contender is PATIENT else sizes.each
        async with contender.open(empty_database(server)) as store:
            found["writers"][contender.name] = await measures.contended(store, each)
    return found


async def _live(server: str, stored: list[Contender], sizes: Sizes) -> dict[str, Any]:
    urls = {contender: empty_database(server) for contender in stored}
    async with AsyncExitStack() as stack:
        stores = await measures.open_stores(urls, stack)
        talks = await measures.live_conversations(stores, sizes)
        size = {contender.name: measures.disk(url) for contender, url in urls.items()}
        del talks[RECORDING.name]
        return {"disk": size, "middle": await measures.middle(talks, sizes)}


def _about(server: str, sizes: Sizes) -> dict[str, Any]:
    packages = sorted({package for contender in CONTENDERS for package in contender.packages})
    with psycopg.connect(server) as connection:
        settings = {
            name: connection.execute("select current_setting(%s)", (name,)).fetchone()[0]  # type: ignore[index]
            for name in ("server_version", "fsync", "synchronous_commit", "shared_buffers")
        }
    return {
        "at": datetime.now(UTC).isoformat(timespec="minutes"),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "postgres": settings,
        "versions": {package: version(package) for package in packages},
        "rounds": sizes.rounds,
        "live_messages": sizes.live,
    }
