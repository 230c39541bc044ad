"""Eight writers on one session: how fast, and is everything kept."""

import threading
import time
from statistics import median

from backstory import ContextStore
from benchmarks.messages import MESSAGES

WRITERS = 8


def contended_appends(url: str, rounds: int, each: int = 150) -> tuple[float, int]:
    """Appends per second, and how many messages were lost in all rounds."""
    rates, lost = [], 0
    with ContextStore.open(url) as store:
        for _ in range(rounds):
            session = store.start()
            start = threading.Barrier(WRITERS + 1)

            def write(seed: int, id: object = session.id, start: threading.Barrier = start) -> None:
                handle = store.session(str(id)).by(f"writer-{seed}")
                start.wait()
                for number in range(each):
                    handle.message(MESSAGES[seed * each + number])

            threads = [threading.Thread(target=write, args=(seed,)) for seed in range(WRITERS)]
            for thread in threads:
                thread.start()
            start.wait()
            began = time.perf_counter()
            for thread in threads:
                thread.join()
            rates.append(WRITERS * each / (time.perf_counter() - began))
            lost += WRITERS * each - session.state.counts["message"]
    return median(rates), lost
