"""The lost-event test: many writers with pauses where they hurt, aborted transactions, and a reader that follows the
feed. Nothing may be skipped, nothing may come twice, each session must come in order.

It runs on a database of its own, whose append function pauses at random after it took the lock, after it took its
transaction id, after it drew positions, and before it returns. `without_xid` also takes the line away that gives a
writer its id before it draws: then the reader skips, and that is what the line is for.
"""

import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import psycopg

from backstory.application.store import ContextStore
from backstory.domain.errors import SessionBusy
from backstory.infrastructure.postgres.append import PendingEvent, append
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.schema import migrate as schema
from benchmarks.goals import Row

PROCESSES, THREADS = 2, 8
SESSIONS = 24
"""Fewer than two for each writer, so that they also meet in one."""
TYPE = "lost-events:ticked"
MOST_TOGETHER = 120
ABORTED = 0.1
"""Of all transactions, those that are rolled back after they have drawn their positions."""

# Most pauses are short, some are as long as many transactions.
_PAUSE = """
create or replace function backstory.pause(p_chance float8) returns void language plpgsql volatile as $$
begin
    if random() < p_chance then
        perform pg_sleep(random() ^ 3 * 0.1);
    end if;
end
$$
"""
# The lock is for tests that hold a writer here until they have looked.
_DRAWN = """
create or replace function backstory.drawn(p_positions bigint[]) returns bigint[] language plpgsql volatile as $$
begin
    if current_setting('backstory.test_hold', true) = 'on' then
        perform pg_advisory_xact_lock_shared(4711);
    else
        perform backstory.pause(0.05);
    end if;
    return p_positions;
end
$$
"""


class Found(NamedTuple):
    """What a run has shown."""

    events: int
    """Committed by the writers."""
    aborted: int
    """Transactions that were rolled back with positions drawn."""
    skipped: int
    """Events that the reader never met."""
    twice: int
    """Events that it met more than once."""
    disordered: int
    """Events that did not follow the one before them in their session."""
    tailed: int
    """Events that the tail of one session missed or met twice."""
    seconds: float

    @property
    def ok(self) -> bool:
        return not (self.skipped or self.twice or self.disordered or self.tailed)


def with_pauses(url: str, *, without_xid: bool = False) -> None:
    """Makes the append of this database pause where it may hurt and, if told to, draw positions before it has an id."""
    texts = {_name(text): text for text in schema.function_files()}
    text = texts["append"]
    text = _once(
        text,
        r"(begin\n    if not pg_try_advisory_xact_lock.*?\n    end if;\n)",
        r"\1    perform backstory.pause(0.05);\n",
    )
    text = _once(
        text,
        r"(from backstory\.streams s where s\.stream_id = p_stream;\n)",
        r"\1    perform backstory.pause(0.05);\n",
    )
    text = _once(text, r"nextval\('backstory\.positions'\)", r"(backstory.drawn(array[\g<0>]))[1]")
    text = _once(text, r"(\n    return array\[first_version)", r"\n    perform backstory.pause(0.05);\1")
    if without_xid:
        assert "pg_current_xact_id()" in text
        text = text.replace("pg_current_xact_id()", "null::xid8")
        # Whoever pauses with an id holds the reader up, and that would hide those who pause without.
        text = text.replace("perform backstory.pause(0.05);", "")
    many = _once(
        texts["write_events"],
        r"backstory\.draw_positions\(cardinality\(p_payloads\)\)",
        r"backstory.drawn(\g<0>)",
    )
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in (_PAUSE, _DRAWN, text, many):
            connection.execute(statement.encode())


def _name(text: str) -> str:
    return re.findall(r"^create or replace function backstory\.(\w+)", text, re.MULTILINE)[0]


def _once(text: str, pattern: str, put: str) -> str:
    changed, count = re.subn(pattern, put, text, count=1, flags=re.DOTALL)
    assert count == 1, f"the function no longer has {pattern}"
    return changed


def lost_events(
    url: str,
    events: int,
    *,
    without_xid: bool = False,
    together: int = MOST_TOGETHER,
) -> Found:
    """Has at least so many events written and read, up to `together` of them in a transaction."""
    with_pauses(url, without_xid=without_xid)
    began = time.monotonic()
    with ContextStore.open(url, migrate=False) as store:
        sessions = [store.start() for _ in range(SESSIONS)]
        each = -(-events // (PROCESSES * THREADS))
        code = "import sys; from benchmarks.lost_events import write; write(*sys.argv[1:])"
        words = [url, str(each), ",".join(str(session.id) for session in sessions)]
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", code, *words, str(together), str(number)],
                cwd=Path(__file__).parents[1],
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(PROCESSES)
        ]
        feed, tail = store.feed(follow=True), sessions[0].tail()
        met: list[tuple[int, UUID, int]] = []
        tailed: list[int] = []
        readers = [
            threading.Thread(target=lambda: met.extend((e.position, e.session, e.version) for e in feed)),
            threading.Thread(target=lambda: tailed.extend(e.version for e in tail)),
        ]
        for reader in readers:
            reader.start()
        while any(writer.poll() is None for writer in writers):
            time.sleep(0.2)
        aborted = sum(int(writer.communicate()[0]) for writer in writers)
        assert [writer.returncode for writer in writers] == [0] * PROCESSES
        newest = store.feed_status().newest
        while feed.position < newest or tail.version < sessions[0].version:
            time.sleep(0.01)
        feed.close()
        tail.close()
        for reader in readers:
            reader.join()
        seconds = time.monotonic() - began
        with psycopg.connect(url) as connection:
            rows = connection.execute("select position, stream_id, version from backstory.events").fetchall()
        versions = list(range(1, sessions[0].version + 1))
    counts = Counter(met)
    newest_of: dict[UUID, int] = {}
    disordered = int(sorted(met) != met)
    for _, stream, version in met:
        disordered += version != newest_of.get(stream, 0) + 1
        newest_of[stream] = version
    return Found(
        len(rows),
        aborted,
        len(set(rows) - set(met)),
        sum(count - 1 for count in counts.values()) + len(set(met) - set(rows)),
        disordered,
        int(tailed != versions),
        seconds,
    )


def lost_event_rows(url: str, broken_url: str, *, quick: bool) -> Iterator[Row]:
    kept = lost_events(url, 20_000 if quick else 500_000)
    yield Row("events skipped, as it is", _told(kept), "none", kept.ok)
    # Postgres logs a sequence every 32 numbers and gives an id for that, so only few events at a time go without one.
    lost = lost_events(broken_url, 6_000, without_xid=True, together=4)
    yield Row("events skipped, its id after its position", _told(lost), "some", lost.skipped > 0)


def _told(found: Found) -> str:
    return (
        f"{found.skipped:,} of {found.events:,} skipped, {found.twice:,} twice, {found.disordered:,} out of order, "
        f"{found.aborted:,} aborted transactions, {found.seconds:.0f} s"
    )


def write(url: str, each: str, streams: str, together: str, seed: str) -> None:
    """One process of writers. Prints how many transactions it has aborted."""
    database = Database(url, pool_size=THREADS)
    database.open()
    sessions = [UUID(name) for name in streams.split(",")]
    aborted = [0] * THREADS

    def work(number: int) -> None:
        chance = random.Random(f"{seed}-{number}")
        left = int(each)
        while left > 0:
            count = min(left, 1 if chance.random() < 0.2 else chance.randint(1, int(together)))
            pending = [PendingEvent(TYPE, 1, b'{"n": %d}' % (left - n)) for n in range(count)]
            abort = chance.random() < ABORTED
            try:
                with database.connection() as connection, connection.transaction():
                    append(connection, chance.choice(sessions), pending)
                    if chance.random() < 0.1:
                        time.sleep(chance.random() * 0.004)
                    if abort:
                        raise psycopg.Rollback
            except SessionBusy:
                continue
            if abort:
                aborted[number] += 1
            else:
                left -= count
                database.announcer.appended()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()
    print(sum(aborted))
