"""`python -m tests.chaos.failovers`: a Patroni cluster that loses its primary under load, again and again."""

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from backstory.application.store import ContextStore
from backstory.infrastructure.schema import migrate as schema
from tests.chaos.patroni import Cluster, cluster, missing
from tests.chaos.trial import Row, Trial, table, writing_at
from tests.waiting import until

Say = Callable[[str], None]


def fail_over(kills: int, others: int, say: Say) -> list[Row]:
    """So many kills of the primary with all its processes, and so many of the gentler ways to lose it."""
    began = time.monotonic()
    with cluster() as made:
        say(f"cluster up after {time.monotonic() - began:.0f} s: {described(made)}")
        schema.upgrade(made.url)
        return [
            rounds(made, "Patroni: primary killed with its Patroni", kills, kill, say),
            rounds(made, "Patroni: Postgres of the primary killed", others, crash, say),
            rounds(made, "Patroni: switchover", others, switch, say),
        ]


def rounds(made: Cluster, fault: str, count: int, way: Callable[[Cluster, str], None], say: Say) -> Row:
    say(f"\n{fault}, under load of 3 writers in processes of their own")
    with tempfile.TemporaryDirectory() as folder, ContextStore.open(made.url, migrate=False) as store:
        trial = Trial(fault, Path(folder), store, writing_at(made.url))
        try:
            for number in range(1, count + 1):
                before = made.primary()
                assert before is not None
                trial.round(partial(way, made, before))
                resumed = trial.recovered[-len(trial.writers) :]
                after = until(lambda before=before: (found := made.primary()) != before and found)
                made.nodes[before].revive()  # The machine is switched on again; Patroni sees to the rest.
                made.wait_until_whole()
                times = ", ".join(f"{seconds:.1f}" for seconds in sorted(resumed))
                say(
                    f"  {number:>2}. {before} lost, {after} took over; writers back after {times} s; {described(made)}"
                )
            return trial.finish()
        finally:
            trial.dismiss()


def kill(made: Cluster, primary: str) -> None:
    made.nodes[primary].kill()


def crash(made: Cluster, primary: str) -> None:
    made.nodes[primary].kill(patroni=False)


def switch(made: Cluster, primary: str) -> None:
    """Until the primary takes no more writes: from then on, writers are held up."""
    asking = threading.Thread(target=made.switch_over, daemon=True)
    asking.start()
    until(lambda: not made.nodes[primary].takes_writes())


def described(made: Cluster) -> str:
    members = made.members()
    timeline = max(member.get("timeline", 0) for member in members.values())
    return f"timeline {timeline}, " + ", ".join(
        f"{name} {member['role']}" for name, member in sorted(members.items())
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.failovers", description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--others", type=int, default=5)
    given = parser.parse_args()
    if lacking := missing():
        sys.exit(f"not installed: {', '.join(lacking)}")
    rows = fail_over(given.kills, given.others, lambda line: print(line, flush=True))
    print("\n" + table(rows))


if __name__ == "__main__":
    main()
