"""Appends per second, one event a commit, with several threads."""

import threading
import time
from statistics import median

from benchmarks.contenders import APPENDERS, Append, Contender

ROUNDS = 5


WARM_UP = 12


def appends_per_second(contender: Contender, threads: int, each: int) -> float:
    """Each thread has a stream of its own. All warm up at once, so that pools have grown, and then start together."""
    writers = [contender() for _ in range(threads)]
    start = threading.Barrier(threads + 1)

    def write(append: Append) -> None:
        for number in range(1, WARM_UP):
            append(number)
        start.wait()
        for number in range(WARM_UP, WARM_UP + each):
            append(number)

    running = [threading.Thread(target=write, args=(append,)) for append, _ in writers]
    for thread in running:
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in running:
        thread.join()
    seconds = time.perf_counter() - began
    for _, close in writers:
        close()
    return threads * each / seconds


def compare(url: str, threads: int, each: int, rounds: int = ROUNDS) -> dict[str, float]:
    """The median of some rounds for each contender, the contenders taking turns so that a noisy moment hits all."""
    found: dict[str, list[float]] = {name: [] for name in APPENDERS}
    for _ in range(rounds):
        for name, opened in APPENDERS.items():
            with opened(url) as contender:
                found[name].append(appends_per_second(contender, threads, each))
    return {name: median(values) for name, values in found.items()}
