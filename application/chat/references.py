"""References to goals, actions, questions and the like, by id or by text."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from backstory.application.chat.answers import CannotRun, quoted

Key = TypeVar("Key")

PREFIXES = {
    "goal": ("GOAL", "G", "ITEM"),
    "action": ("ACT", "A", "ACTION"),
    "question": ("Q", "QUESTION"),
    "decision": ("DEC", "D", "DECISION"),
    "constraint": ("CON", "C", "CONSTRAINT", "ITEM"),
    "pinned item": ("ITEM", "PIN", "NOTE"),
}
"""Prefixes of ids, the usual one first. Contexts use the letters alone: `[G12]`."""
_ID = re.compile(r"#?(?:([A-Za-z]+)-?)?(\d{1,10})|\[([A-Za-z]*)(\d{1,10})\]")
SHORTEST_PART = 3
"""The shortest part of a text that is searched for. Shorter ones are in almost any text."""
MOST_LISTED = 10


def id_of(kind: str, key: int) -> str:
    """The id in answers."""
    return f"{PREFIXES[kind][0]}-{key}"


def as_id(kind: str, reference: str) -> int | None:
    """The number of an id such as `12`, `#12`, `GOAL-12`, `G12` or `[G12]`; None for anything else."""
    match = _ID.fullmatch(reference.strip())
    if match is None:
        return None
    prefix = match[1] or match[3]
    if prefix and prefix.upper() not in PREFIXES[kind]:
        return None
    return int(match[2] or match[4])


def choose(kind: str, reference: str, open_ones: Mapping[int, str | None]) -> int:
    """The open one that a reference means: by its id, else by its text: exact, in any case, by its beginning, by a
    part. The first rule with a match must have exactly one."""
    if not reference.strip():
        raise CannotRun(f"the {kind} is missing.")
    number = as_id(kind, reference)
    if number in open_ones:
        assert number is not None
        return number
    matches = matching(reference, open_ones)
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = {key: open_ones[key] for key in matches}
        raise CannotRun(
            f"{quoted(reference)} fits {len(matches)} {kind}s; say which by its id:\n{lines(kind, listed)}",
            candidates=[{"id": id_of(kind, key), "text": text} for key, text in listed.items()],
        )
    raise CannotRun(
        f"no open {kind} is {quoted(reference)}. Open are:\n{lines(kind, open_ones)}"
        if kind in ("goal", "action", "question")
        else f"there is no {kind} {quoted(reference)}. There are:\n{lines(kind, open_ones)}",
        candidates=[{"id": id_of(kind, key), "text": text} for key, text in open_ones.items()],
    )


def matching(reference: str, texts: Mapping[Key, str | None]) -> list[Key]:
    """The keys of the texts that a reference means, by the first rule that any text matches: exact, in any case, by its
    beginning, by a part."""
    for matches in _RULES:
        keys = [key for key, text in texts.items() if text is not None and matches(text, reference)]
        if keys:
            return keys
    return []


def _same(text: str) -> str:
    return " ".join(text.casefold().split())


def _is_telling(part: str) -> bool:
    return len(_same(part)) >= SHORTEST_PART or not part.isascii()


_RULES: tuple[Callable[[str, str], bool], ...] = (
    lambda text, reference: text == reference,
    lambda text, reference: _same(text) == _same(reference),
    lambda text, reference: _same(text).startswith(_same(reference)),
    lambda text, reference: _is_telling(reference) and _same(reference) in _same(text),
)


def lines(kind: str, listed: Mapping[int, str | None]) -> str:
    """Open ones, one on a line."""
    shown = [line(kind, key, text) for key, text in list(listed.items())[:MOST_LISTED]]
    if len(listed) > MOST_LISTED:
        shown.append(f"  and {len(listed) - MOST_LISTED} more")
    return "\n".join(shown)


def line(kind: str, key: int, text: str | None) -> str:
    return f"  {id_of(kind, key)}  {shown_text(text)}"


def shown_text(text: str | None) -> str:
    return "(erased)" if text is None else " ".join(text.split())
