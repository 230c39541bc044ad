"""Extracts from a conversation: the sentences that tell most about the work done, and the announced next steps."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backstory.domain.summaries.cues import (
    comes_next,
    done,
    failed,
    is_wish,
    names_a_thing,
    planned,
    reported,
)
from backstory.domain.summaries.lines import (
    LONGEST_SENTENCE,
    are_nonsense,
    content_words,
    cut,
    is_nonsense,
    prose_lines,
    telling,
)
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.text.sentences import line_sentences
from backstory.domain.text.words import words

# Of a very long message, mostly a tool's output, the beginning and the end are read.
_READ_FIRST, _READ_LAST = 20_000, 4_000
_FROM_ONE_MESSAGE = 2
_ENOUGH = 3
"""Words that tell, for a sentence to say something by itself."""
_ALIKE = 0.6
"""Two sentences that share this much of their words say the same."""
_RECENT = 0.6
"""The bonus of the newest message over the oldest: as much as a sentence that tells of something done and names a
thing."""


class Extract(NamedTuple):
    """A sentence with its place: which message, which line of it, which in the line."""

    place: tuple[int, int, int]
    text: str
    score: float
    about: frozenset[str]
    """Its `content_words`."""


def told(messages: Iterable[SourceMessage], most: int, known: Iterable[str] = ()) -> list[str]:
    """The most telling sentences about what was done, newer ones before older ones, none like another or like what is
    known. In their order."""
    chosen: list[Extract] = []
    taken: dict[int, int] = {}
    seen = [content_words(text) for text in known]
    for sentence in sorted(_scored(tuple(messages)), key=_most_telling):
        if len(chosen) == most:
            break
        about, message = sentence.about, sentence.place[0]
        if taken.get(message, 0) == _FROM_ONE_MESSAGE or any(_alike(about, other) for other in seen):
            continue
        chosen.append(sentence)
        seen.append(about)
        taken[message] = taken.get(message, 0) + 1
    return [cut(sentence.text) for sentence in sorted(chosen)]


def _most_telling(sentence: Extract) -> tuple[float, int, tuple[int, int, int]]:
    return -sentence.score, -sentence.place[0], sentence.place


def announced(messages: Iterable[SourceMessage], most: int) -> list[str]:
    """The next steps that agents announced, the newest message first."""
    found: list[str] = []
    for message in reversed(tuple(messages)):
        if not _by_agent(message):
            continue
        for line in prose_lines(_read(message.text)):
            for text in line_sentences(line):
                if comes_next(text) and not text.endswith("?") and not is_nonsense(cut(text)):
                    found.append(cut(text))
        if found:
            break
    return list(dict.fromkeys(found))[:most]


def opening(messages: Iterable[SourceMessage]) -> str:
    """The first request of a user: the first line that says enough, as far as its sentences fit.

    Where no line says enough, the first that says anything.
    """
    scant = ""
    for message in messages:
        if message.role != "user":
            continue
        for line in prose_lines(_read(message.text)):
            fitting = [line[:end] for end in _ends(line) if end <= LONGEST_SENTENCE]
            kept = fitting[-1] if fitting else cut(line)
            if is_nonsense(kept):
                continue
            # A path or an address alone has words in it and says nothing.
            is_name = kept.isascii() and " " not in kept
            # A line with a colon announces another that says more: "Consider the following issue:".
            if len(content_words(kept)) >= _ENOUGH and not is_name and not kept.endswith(":"):
                return kept
            scant = scant or (kept if content_words(kept) else "")
    return scant


def _ends(line: str) -> Iterator[int]:
    place = 0
    for text in line_sentences(line):
        place = line.index(text, place) + len(text)
        yield place


def _scored(messages: Sequence[SourceMessage]) -> Iterator[Extract]:
    after_error = False
    for number, message in enumerate(messages):
        reports_error = message.errors
        if message.role == "system" or (message.role == "tool" and not reports_error):
            continue
        # An agent's first sentence after a failure tells how the work went on.
        answers = after_error and _by_agent(message)
        for row, line in enumerate(prose_lines(_read(message.text))):
            for column, text in enumerate(line_sentences(line)):
                about = telling(folded := words(text))
                score = _score(text, folded, about, message)
                if score is not None:
                    bonus = _RECENT * (number + 1) / len(messages) + (0.3 if answers else 0.0)
                    answers = False
                    yield Extract((number, row, column), text, round(score + bonus, 6), about)
        after_error = reports_error or (after_error and not _by_agent(message))


def _score(text: str, folded: list[str], about: frozenset[str], message: SourceMessage) -> float | None:
    """The score of a sentence; None if it tells nothing of work done."""
    if len(about) < 2:
        return None
    fails = failed(text)
    if len(about) < (2 if message.errors and fails else _ENOUGH) or (message.role == "tool" and not fails):
        return None
    if are_nonsense(folded if len(text) <= LONGEST_SENTENCE else words(cut(text))):
        return None
    by_user = message.role == "user"
    # A user's sentence is a wish, unless it tells of something that happened. Markup tells nothing.
    if text.startswith("<") or (by_user and (is_wish(folded) or not (fails or reported(text)))):
        return None
    is_done = done(text)
    # "Let me see whether it is fixed" is a plan, whatever follows.
    plan = planned(text)
    aims = plan is not None and (not is_done or folded[:1] == ["to"])
    if plan == 0 or aims or text.endswith(("?", "？", ":")):
        return None
    # Of importance only what a message has beyond others of its role: a user's has more from the start.
    score = message.importance - (0.7 if by_user else 0.4) + min(len(about), 12) / 24
    score += 0.4 if is_done else 0.0
    score += 0.3 if fails else 0.0
    score += 0.2 if names_a_thing(text) else 0.0
    score += 0.3 if _by_agent(message) else 0.0
    return score - (0.2 if len(text) > LONGEST_SENTENCE else 0.0)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    together = one | other
    if not together or len(one & other) < _ALIKE * len(together):
        return False
    # "12 tests pass" and "40 tests pass" are two things.
    return not any(word.isdigit() for word in one ^ other)


def _by_agent(message: SourceMessage) -> bool:
    return message.role in ("agent", "assistant")


def _read(text: str) -> str:
    if len(text) <= _READ_FIRST + _READ_LAST:
        return text
    return text[:_READ_FIRST] + "\n" + text[-_READ_LAST:]
