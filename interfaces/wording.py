"""Texts, numbers and times as they are shown to people."""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from backstory.domain.text.printable import printable

if TYPE_CHECKING:
    from backstory.application.archive.archive import Archived
    from backstory.application.queries.session_list import SessionSummary

ERASED = "(erased)"

_BLANKS = re.compile(r"\s+")


def one_line(text: str) -> str:
    """The text on one line."""
    return _BLANKS.sub(" ", printable(text)).strip()


def session_name(session: "SessionSummary") -> str:
    """What a session is called: its title or, in quotation marks, the first words of its user."""
    title = one_line(session.title or "")
    return (title if session.titled else f"“{title}”") if title else "(no title)"


def shortened(text: str, longest: int) -> str:
    """The beginning of a text, on one line."""
    line = one_line(text)
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def short_id(session: UUID) -> str:
    """The end of an id: the random part, which tells sessions of the same minute apart."""
    return session.hex[-12:]


def counted(count: int, thing: str) -> str:
    """A number with its noun."""
    many = thing[:-1] + "ies" if thing.endswith("y") and thing[-2] not in "aeiou" else thing + "s"
    return f"{count:,} {thing if count == 1 else many}"


def signed(change: int) -> str:
    return f"+{change:,}" if change >= 0 else f"−{-change:,}"


def moment(time: datetime) -> str:
    """A time in UTC, to the second."""
    return time.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def ago(time: datetime, now: datetime) -> str:
    """The age of a time, in its largest unit."""
    seconds = max(0.0, (now - time).total_seconds())
    return "just now" if seconds < 60 else f"{duration(seconds)} ago"


def duration(seconds: float) -> str:
    """A number of seconds, in its largest unit."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= length:
            return f"{int(seconds // length):,}{unit}"
    return f"{seconds:.0f}s"


def clock(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%H:%M:%S")


def size(count: int) -> str:
    """A number of bytes."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"


def usage(tokens: int, limit: int | None) -> str:
    """A window's fill."""
    if not limit:
        return f"{tokens:,} tokens"
    return f"{tokens:,} of {limit:,} tokens ({tokens / limit:.0%})"


def dollars(amount: float) -> str:
    """US dollars: cents, or as many digits as a small amount needs."""
    if amount == 0 or amount >= 1:
        return f"${amount:,.2f}"
    return f"${amount:.6f}".rstrip("0") if amount >= 0.000_001 else "under $0.000001"


def without_headings(markdown: str) -> str:
    """A markdown text without its headings, for a line that only hints at it."""
    return "\n".join(line for line in markdown.splitlines() if not line.startswith("#")).strip()


def archived_words(archived: "Archived") -> str:
    """What was made of a session, in a sentence."""
    made = [
        counted(len(ids), thing)
        for ids, thing in (
            (archived.fragments, "fragment"),
            (archived.memories, "other memory" if archived.fragments else "memory"),
            (archived.candidates, "candidate"),
        )
        if ids
    ]
    listed = " and ".join(filter(None, [", ".join(made[:-1]), *made[-1:]])) or "nothing"
    first = min((*archived.fragments, *archived.memories, *archived.candidates), default=None)
    told = f"{short_id(archived.session)}: {listed} for {one_line(archived.project)}"
    told += "" if first is None else f", from M{first} on"
    more = [
        f"{counted(len(archived.corroborated), 'memory')} said again" if archived.corroborated else "",
        f"{counted(len(archived.superseded), 'memory')} superseded" if archived.superseded else "",
    ]
    return "; ".join(filter(None, [told, *more]))
