"""Details for a list of sessions: derived titles, writers, and primary files."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.domain.entities.addresses import as_address
from backstory.domain.entities.names import scan
from backstory.domain.text.markdown import outside_code
from backstory.domain.text.titles import derived_title
from backstory.infrastructure.postgres.queries import query

FIRST_EVENTS = 200
"""First events that are searched for a user's message, to derive a title."""
NEWEST_EVENTS = 50
"""Newest events that are read for writers and files. Without a bound, a list would cost as much as the histories of
its sessions."""
FOCUS_EVENTS = 1000
"""Newest events that are searched for a file focus."""
NEWEST_TEXTS = 3
LONGEST_TEXT = 500
"""Bytes of each text that are read."""
PRIMARY_FILES = 5


class Glimpse(NamedTuple):
    """Details of one session: its title, or one derived from the user's first message; the writers of its newest
    events; the files in focus, else those mentioned most in its newest messages."""

    title: str | None = None
    titled: bool = False
    agents: tuple[str, ...] = ()
    primary_files: tuple[str, ...] = ()


class Named(NamedTuple):
    """A session with its title from its own row, or the place of the title's text."""

    session: UUID
    title: bytes | None
    place: tuple[int, int] | None


def read_glimpses(runtime: Runtime, sessions: Sequence[Named]) -> dict[UUID, Glimpse]:
    """Details of each session, in one query."""
    if not sessions:
        return {}
    away = [(named.session, named.place) for named in sessions if named.title is None and named.place]
    wanted = {
        "ids": [named.session for named in sessions],
        "titled": [session for session, _ in away],
        "title_versions": [place[0] for _, place in away],
        "title_parts": [place[1] for _, place in away],
        "untitled": [named.session for named in sessions if named.title is None],
        "first": FIRST_EVENTS,
        "newest": NEWEST_EVENTS,
        "focused": FOCUS_EVENTS,
        "texts": NEWEST_TEXTS,
        "longest": LONGEST_TEXT,
    }
    rows = runtime.database.read(lambda c: c.execute(query("session_glimpses"), wanted).fetchall())
    given = {named.session: named.title for named in sessions}
    return {row[0]: _glimpse(given[row[0]], *row[1:]) for row in rows}


def _glimpse(
    own: bytes | None,
    inherited: bytes | None,
    asked: bytes | None,
    writers: list[str] | None,
    focus: bytes | None,
    texts: list[bytes | None] | None,
) -> Glimpse:
    given = own if own is not None else inherited
    if given is not None:
        title: str | None = given.decode(errors="replace")
    else:
        title = None if asked is None else derived_title(asked.decode(errors="ignore"))
    files = _focused(focus) or _mentioned([text for text in (*(texts or ()), asked) if text is not None])
    return Glimpse(title, given is not None, tuple(writers or ()), files)


def _focused(payload: bytes | None) -> tuple[str, ...]:
    try:
        files = json.loads(payload or b"{}").get("files", ())
    except (ValueError, AttributeError):
        return ()
    return tuple(str(file) for file in files)[:PRIMARY_FILES]


def _mentioned(texts: Sequence[bytes]) -> tuple[str, ...]:
    # A scan and not a whole extraction: only files are wanted, and a list has many sessions.
    said = outside_code("\n".join(text.decode(errors="ignore") for text in texts))
    counts = Counter(found.name for found in scan(said) if as_address(said, found).kind == "file")
    return tuple(name for name, _ in counts.most_common(PRIMARY_FILES))
