"""What a list says of sessions beyond their rows: titles from content, who writes, which files it is about."""

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
"""A title is derived from a user's message among so many first versions."""
NEWEST_EVENTS = 50
"""Who writes and which files are mentioned is told from so many newest versions. Without bounds, a list would cost
what its sessions' histories are, not what it shows."""
FOCUS_EVENTS = 1000
"""Nor is a file focus looked for further back than this."""
NEWEST_TEXTS = 3
LONGEST_TEXT = 500
"""Bytes of each text that are looked at."""
PRIMARY_FILES = 5


class Glimpse(NamedTuple):
    """Of one session: the title it was given, as far as it is still there, or one derived from what the user asked
    for; who wrote its newest events; the files in focus, else those mentioned most in its newest messages."""

    title: str | None = None
    titled: bool = False
    agents: tuple[str, ...] = ()
    primary_files: tuple[str, ...] = ()


class Named(NamedTuple):
    """A session, and the title in its own row or where the title's text is."""

    session: UUID
    title: bytes | None
    place: tuple[int, int] | None


def read_glimpses(runtime: Runtime, sessions: Sequence[Named]) -> dict[UUID, Glimpse]:
    """A glimpse of each session, in one query for all of them."""
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
