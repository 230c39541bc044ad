"""Read models made again from the log in temporary tables: to compare them with those in use, and to replace them.

The functions that apply events are created a second time, from the same files, over temporary tables of one connection.
So there is one implementation, and nobody else sees or waits for the draft.
"""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from backstory.domain.log.lineage import BranchPoint
from backstory.infrastructure.postgres.queries import query, query_drafted

KEYS = {"items": "item", "checkpoints": "version", "branch_points": "version"}
"""The tables of read models, and what tells the rows of one stream apart."""

DRAWN_AT_ONCE = 5_000
"""Events that one transaction applies. A longer one would hold up readers of the feed."""

_CROWDED = 50_000
"""Rows in the temporary tables after which they are emptied."""

_OF_THE_LOG = ("branch_of", "restore_branch", "resume_branch")
"""Functions that need the tables in use."""


class Logged(NamedTuple):
    """A stream's own row, and the ends of its log."""

    kind: str
    version: int
    epoch: int
    chain: bytes
    started_at: datetime
    recorded_at: datetime
    summary: str
    """JSON as the server wrote it, so that it goes back unchanged."""
    first_version: int | None
    events: int
    newest_chain: bytes | None
    newest_epoch: int
    began_at: datetime
    newest_at: datetime


class RowDifference(NamedTuple):
    """A row in use and the one that the log leads to; None where there is none."""

    table: str
    key: int
    found: dict[str, Any] | None
    drawn: dict[str, Any] | None


class DraftReadModels:
    """Drafts on one connection, whose login may change the tables."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        self._rows = 0
        with connection.transaction():
            connection.execute(query("keep_drafts_here"))
            connection.execute(query("create_draft_items"))
            connection.execute(query("create_draft_checkpoints"))
            connection.execute(query("create_draft_branch_points"))
            connection.execute(query("skip_function_bodies"))
            for text in _functions():
                connection.execute(text.encode())

    def logged(self, stream: UUID) -> Logged | None:
        """A stream's own row and the ends of its log, as they are now."""
        row = self.connection.execute(query("logged_stream"), (stream,), binary=True).fetchone()
        return None if row is None else Logged._make(row)

    def branch_points(self, stream: UUID, after: int = 0) -> list[BranchPoint]:
        """The branch points that a stream's events tell of, whatever the table says."""
        rows = self.connection.execute(query("branch_points_in_log"), (stream, after))
        return [BranchPoint._make(row) for row in rows]

    def begin(self, stream: UUID, base: dict[str, Any] | None) -> str:
        """Starts the drawing of a stream, at the root of its branch; returns its summary there."""
        if self._rows > _CROWDED:
            self.connection.execute(query("empty_drafts"))
            self._rows = 0
        for table, key in KEYS.items():
            self.connection.execute(query_drafted("forget_draft", table, key), (stream,))
        (summary,) = self._one(query("begin_draft"), (stream, None if base is None else json.dumps(base)))
        return str(summary)

    def draw(self, stream: UUID, first: int, last: int, summary: str) -> str:
        """Applies a run of the stream's own events; returns its summary after them."""
        self._rows += last - first + 1
        (summary,) = self._one(query("draw_events"), (stream, first, last, summary))
        return summary

    def draw_marks(self, stream: UUID, after: int, branch_points: Sequence[BranchPoint]) -> None:
        """Draws what outlives a backtrack, and so is told by every event of the stream: these branch points, and the
        checkpoints beyond a version."""
        self.connection.execute(query("draw_checkpoints"), (stream, after))
        columns = list(zip(*branch_points, strict=True)) or [(), (), ()]
        self.connection.execute(query("draw_branch_points"), (stream, *map(list, columns)))

    def differing(self, table: str, stream: UUID) -> list[int]:
        """The keys of the rows that are not what was drawn, missing ones and ones too many among them."""
        (keys,) = self._one(query_drafted("differing_rows", table, KEYS[table]), {"stream": stream})
        return list(keys)

    def differences(self, table: str, stream: UUID, keys: Sequence[int]) -> list[RowDifference]:
        """Some rows as they are and as they were drawn."""
        text = query_drafted("rows_as_drawn", table, KEYS[table])
        rows = self.connection.execute(text, {"stream": stream, "keys": list(keys)})
        return [RowDifference(table, *row) for row in rows]

    def replace(self, table: str, stream: UUID, keys: Sequence[int]) -> None:
        """Puts the drawn rows in the place of those in use."""
        wanted = {"stream": stream, "keys": list(keys)}
        self.connection.execute(query_drafted("delete_rows", table, KEYS[table]), wanted)
        self.connection.execute(query_drafted("insert_drawn_rows", table, KEYS[table]), wanted)

    def replace_head(self, stream: UUID, summary: str, logged: Logged) -> None:
        """Puts the drawn summary, and what else follows from the log, into the stream's own row."""
        self.connection.execute(
            query("replace_head"),
            (summary, logged.newest_epoch, logged.began_at, logged.newest_at, stream),
        )

    def _one(self, text: bytes, parameters: Any) -> Any:
        row = self.connection.execute(text, parameters).fetchone()
        assert row is not None
        return row


def _functions() -> list[str]:
    """The functions that apply events, over the temporary tables instead of those in use."""
    folder = files("backstory.projections") / "sql" / "functions"
    texts = {file.name.removesuffix(".sql"): file.read_text() for file in folder.iterdir()}
    moved = (texts.keys() - set(_OF_THE_LOG)) | {"items", "checkpoints"}
    names = re.compile(r"\bbackstory\.(" + "|".join(sorted(moved)) + r")\b")
    return [names.sub(r"pg_temp.\1", text) for name, text in sorted(texts.items()) if name in moved]
