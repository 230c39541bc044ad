"""Concepts: the noun phrases of a message, by word lists and repetition. No grammar is known here."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import compress, pairwise
from typing import NamedTuple

from backstory.domain.entities.tagged_words import TaggedWords
from backstory.domain.entities.words import BASE_VERBS, FUNCTION_WORDS, HEADS, VERBS
from backstory.domain.text.words import word_set

_TERM = re.compile(r'["“]([A-Za-z][\w-]{1,30}(?: [A-Za-z][\w-]{0,30}){1,3})["”]')
_JOINS = frozenset([" ", "  ", "\n", "\t"])
_GLUE_AFTER = frozenset("/\\_(@=")
_GLUE_BEFORE = frozenset("/\\_.@-=<$")
_USED = b"\1"
_ENDS_SENTENCE = re.compile(r"[.!?:\n#*\-•>]\s{0,4}$")
_ARTICLES = word_set("a an the this that these those its their our your my each every any some no")


Phrase = tuple[int, int, str]
"""Its place in the text, and its name."""


class WordRun(NamedTuple):
    """Words that stand together, by the place of the first one and the place after the last one."""

    first: int
    after: int
    before: str
    """The word before the first one when that one may be a verb; empty when something else stands there."""


Repeated = frozenset[tuple[str | None, ...]]


def concepts(said: TaggedWords, taken: Sequence[tuple[int, int]]) -> list[Phrase]:
    """The concepts of a text outside the places that are taken, in no order. None overlaps another one."""
    used = bytearray(len(said.text))
    _mark(used, taken)
    found: list[Phrase] = []
    if '"' in said.text or "“" in said.text:
        found = _unused(used, _terms(said.text))
        _mark(used, found)
    runs = list(_runs(said, used, _shut_out(said, used, [*taken, *found])))
    repeated = _repeated(said, runs)
    phrases = _unused(used, _phrases(said, runs, repeated))
    found += phrases
    titled = [run for run in runs if any(said.titled[run.first : run.after])]
    if titled:
        # A title may have words of a phrase.
        _mark(used, phrases)
        found += _unused(used, _titles(said, titled))
    return found


def _mark(used: bytearray, places: Iterable[tuple[int, int] | Phrase]) -> None:
    for place in places:
        used[place[0] : place[1]] = _USED * (place[1] - place[0])


def _unused(used: bytearray, phrases: Iterable[Phrase]) -> list[Phrase]:
    if _USED not in used:
        return list(phrases)
    return [phrase for phrase in phrases if used.find(_USED, phrase[0], phrase[1]) < 0]


def _terms(text: str) -> Iterator[Phrase]:
    """Two to four words in quotes."""
    for match in _TERM.finditer(text):
        name = match[1].lower()
        words = name.split()
        if words[-1] not in FUNCTION_WORDS and words[0] not in VERBS:
            yield (*match.span(1), name)


def _runs(said: TaggedWords, used: bytearray, shut_out: Collection[int]) -> Iterator[WordRun]:
    """Words that say something, with nothing but blanks between them and no entity. One alone makes no phrase,
    unless it is an acronym."""
    gaps = said.gaps
    first = after = -1
    for place in compress(range(len(said.words)), said.content):
        if place in shut_out:
            continue
        if place != after or gaps[place] not in _JOINS:
            if after - first > 1 or (first >= 0 and said.acronym[first]):
                yield WordRun(first, after, _before(said, used, first))
            first = place
        after = place + 1
    if after - first > 1 or (first >= 0 and said.acronym[first]):
        yield WordRun(first, after, _before(said, used, first))


def _shut_out(said: TaggedWords, used: bytearray, taken: Iterable[tuple[int, int] | Phrase]) -> set[int]:
    """The places of words that belong to an entity, or are pieces of a path or the like."""
    found = {place for place in range(len(said.words)) if _is_glued(said, place)}
    for span in taken:
        place = max(0, bisect_left(said.starts, span[0]) - 1)
        while place < len(said.words) and said.starts[place] < span[1]:
            if used[said.starts[place]] or used[said.end(place) - 1]:
                found.add(place)
            place += 1
    return found


def _is_glued(said: TaggedWords, place: int) -> bool:
    """Is it a piece of a path, an assignment or a placeholder?"""
    text, start, end = said.text, said.starts[place], said.end(place)
    return text[end : end + 1] in _GLUE_AFTER or (start > 0 and text[start - 1] in _GLUE_BEFORE)


def _before(said: TaggedWords, used: bytearray, first: int) -> str:
    place = first - 1
    if said.noun[first] is not None or first == 0 or said.gaps[first] not in _JOINS:
        return ""
    taken = used[said.starts[place]] or used[said.end(place) - 1] or _is_glued(said, place)
    return "" if taken else said.words[place].lower()


def _repeated(said: TaggedWords, runs: Sequence[WordRun]) -> Repeated:
    """Two or three nouns that stand together more than once, the last two of them different ones. They are a term,
    even when no word list knows the last one."""
    nouns: list[str | None] = []
    for first, after, _ in runs:
        nouns += said.noun[first:after]
        nouns.append(None)
    pairs = _again(pairwise(nouns))
    if not pairs:
        return pairs
    # Three words that are repeated end with two that are.
    ends = map(pairs.__contains__, pairwise(nouns[1:]))
    return pairs | _again(compress(zip(nouns, nouns[1:], nouns[2:], strict=False), ends))


def _again(groups: Iterable[tuple[str | None, ...]]) -> Repeated:
    seen: set[tuple[str | None, ...]] = set()
    again = set()
    for words in groups:
        if words in seen:
            again.add(words)
        else:
            seen.add(words)
    return frozenset(words for words in again if None not in words and words[-2] != words[-1])


def _phrases(said: TaggedWords, runs: Iterable[WordRun], repeated: Repeated) -> Iterator[Phrase]:
    starts, words, spoken = said.starts, said.words, said.spoken
    for run in runs:
        first, place = run.first, run.after - 1
        while place >= first:
            begin = _beginning(said, run, place, repeated) if place > first else place
            if begin < place or said.acronym[place]:
                yield starts[begin], starts[place] + len(words[place]), " ".join(spoken[begin : place + 1])
            place = begin - 1


def _beginning(said: TaggedWords, run: WordRun, place: int, repeated: Repeated) -> int:
    """The place where a noun phrase of two or three words that ends here begins; this place if there is none."""
    noun, third = said.noun, place - 2 >= run.first
    if repeated and noun[place - 1 : place + 1] in repeated:
        return place - 2 if third and noun[place - 2 : place + 1] in repeated else place - 1
    if not said.head[place] or (noun[place - 1] is None and not _may_be_a_noun(said, run, place - 1)):
        return place
    third = (
        third
        and said.head[place - 1]
        and (noun[place - 2] is not None or _may_be_a_noun(said, run, place - 2))
    )
    return place - 2 if third else place - 1


def _may_be_a_noun(said: TaggedWords, run: WordRun, place: int) -> bool:
    """Many verbs are nouns too: "a read replica", but "rotate tokens". Such a word is taken for a noun only after an
    article or a verb, and a form that only verbs have never is."""
    verb = said.words[place].lower()
    if verb not in BASE_VERBS and verb not in HEADS:
        return False
    before = said.words[place - 1].lower() if place > run.first else run.before
    return before in _ARTICLES or before in VERBS


def _titles(said: TaggedWords, runs: Iterable[WordRun]) -> Iterator[Phrase]:
    """Two to four capitalised words within a sentence: "Black Friday"."""
    for run in runs:
        first = run.first
        for place in range(run.first, run.after + 1):
            if place < run.after and said.titled[place]:
                continue
            if place > first:
                first += _begins_sentence(said, first)
                if 2 <= place - first <= 4:
                    yield said.starts[first], said.end(place - 1), " ".join(said.words[first:place])
            first = place + 1


def _begins_sentence(said: TaggedWords, place: int) -> bool:
    start = said.starts[place]
    return start == 0 or _ENDS_SENTENCE.search(said.text, max(0, start - 4), start) is not None
