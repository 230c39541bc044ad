"""Eight writers on one session."""

import threading
import time
from statistics import median

from backstory import ContextStore
from benchmarks.goals import Row
from benchmarks.messages import MESSAGES

WRITERS = 8
EACH = 150


def writers_row(url: str, rounds: int) -> Row:
    rates, lost = [], 0
    with ContextStore.open(url) as store:
        for _ in range(rounds):
            session = store.start()
            start = threading.Barrier(WRITERS + 1)

            def write(seed: int, id: object = session.id, start: threading.Barrier = start) -> None:
                handle = store.session(str(id)).by(f"writer-{seed}")
                start.wait()
                for number in range(EACH):
                    handle.message(MESSAGES[seed * EACH + number])

            threads = [threading.Thread(target=write, args=(seed,)) for seed in range(WRITERS)]
            for thread in threads:
                thread.start()
            start.wait()
            began = time.perf_counter()
            for thread in threads:
                thread.join()
            rates.append(WRITERS * EACH / (time.perf_counter() - began))
            lost += WRITERS * EACH - session.state.counts["message"]
    rate = median(rates)
    met = rate >= 1_000 and not lost
    return Row(
        f"{WRITERS} writers on one session", f"{rate:,.0f}/s, {lost} lost", "≥ 1,000/s, none lost", met
    )
