"""A reader that follows the feed meets every event, however many write at once and in however many
processes."""

import subprocess
import sys

from backstory.infrastructure.eventsourcing_library.recorder import LogRecorder
from backstory.infrastructure.postgres.database import Database

PROCESSES, THREADS, APPENDS = 2, 8, 40

WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4
from eventsourcing.persistence import StoredEvent
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.eventsourcing_library.recorder import LogRecorder

url, threads, appends = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
database = Database(url, pool_size=threads)
database.open()
recorder = LogRecorder(database)

def write(_):
    stream, version = uuid4(), 1
    for count in range(appends):
        together = 1 + count % 3
        recorder.insert_events(
            [StoredEvent(stream, version + k, "topic", b"state") for k in range(together)])
        version += together

with ThreadPoolExecutor(threads) as pool:
    list(pool.map(write, range(threads)))
database.close()
"""


class TestFeed:
    database: Database

    def test_sixteen_writers_in_two_processes_and_nothing_skipped(self) -> None:
        recorder = LogRecorder(self.database)
        command = [sys.executable, "-c", WRITER, self.database.url, str(THREADS), str(APPENDS)]
        writers = [subprocess.Popen(command) for _ in range(PROCESSES)]
        seen: list[int] = []
        writing = True
        while writing:
            # Asked before the read, so that the last read comes after the last write.
            writing = any(writer.poll() is None for writer in writers)
            while found := recorder.select_notifications(
                seen[-1] if seen else None, 50, inclusive_of_start=False
            ):
                seen += [notification.id for notification in found]
        assert [writer.wait() for writer in writers] == [0] * PROCESSES
        rows = self.database.read(
            lambda c: c.execute("select position from backstory.events order by position").fetchall()
        )
        assert seen == [row[0] for row in rows]
        assert len(seen) == PROCESSES * THREADS * sum(1 + count % 3 for count in range(APPENDS))
