"""Real agent runs, imported, put into contexts and made again: `../shared/data`, where the machine has it."""

import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from backstory import ContextStore
from backstory.domain.policies.assembly import LONG_HISTORY

DATA = Path(__file__).parents[2] / "shared" / "data"
BUDGET = 32_000


class Imports(NamedTuple):
    files: int
    sessions: int
    lines: int
    messages: int
    messages_per_second: float
    contexts: int
    equal: int
    context_ms: float
    """Of a first context in a session: nothing of it was read before."""


def imports(url: str) -> Imports | None:
    """None where there is no data."""
    paths = sorted(path for path in DATA.rglob("*.jsonl"))
    if not paths:
        return None
    with ContextStore.open(url) as store:
        started = time.perf_counter()
        found = [one for path in paths for one in store.import_file(path)]
        seconds = time.perf_counter() - started
        taken, equal = [], 0
        for one in found:
            session = store.session(one.session)
            for policy in (None, LONG_HISTORY):
                chosen = {} if policy is None else {"policy": policy}
                started = time.perf_counter()
                context = session.context(BUDGET, **chosen)
                taken.append(time.perf_counter() - started)
                assert context.version is not None
                equal += session.reproduce(context.version).ok
        return Imports(
            files=len(paths),
            sessions=len(found),
            lines=sum(one.lines for one in found),
            messages=sum(one.messages + one.exchanges for one in found),
            messages_per_second=sum(one.messages + one.exchanges for one in found) / seconds,
            contexts=len(taken),
            equal=equal,
            context_ms=1000 * median(taken),
        )
