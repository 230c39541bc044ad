"""The words of a text as they are indexed and asked for: stems, with identifiers whole and in parts."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from backstory.domain.text.words import UNSPACED, word_set

VERSION = 3
"""Raised when the same item gives other terms or marks: an index made with another version is made again."""

READ = 200_000
"""Characters of a text that are read. What is longer is a log, and its first pages have its words."""
LONGEST = 64
"""Characters of the longest word: a SHA-256 in hexadecimal. Longer runs are data."""

_WORD = re.compile(rf"[{UNSPACED}]+|[^\W{UNSPACED}]+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\dA-Za-z_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_UNSPACED = re.compile(f"[{UNSPACED}]")

# Words that stand in nearly every text. Those that ask, such as "when", are among them: the ranking reads them from the
# query's own text. The last line is what an apostrophe leaves.
_STOP = word_set(
    """a about after again all also am an and any are as at be because been before being both but by can could did do
    does doing during each few for from further had has have having he her here hers herself him himself his how i if
    in into is it its itself just me more most my myself no nor not now of off on once only or other our ours ourselves
    out over own same she should so some such than that the their theirs them themselves then there these they this
    those through to too under until up us very was we were what when where which while who whom whose why will with
    would you your yours yourself yourselves
    don didn doesn isn wasn aren couldn wouldn shouldn hasn haven hadn ll ve re"""
)


def terms(text: str) -> Counter[str]:
    """The terms of a text and how often each occurs. Stop words and single letters are left out."""
    text = text[:READ]
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))
    # Counted as written first, so that a word that is repeated is taken apart once.
    found: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall(text)).items():
        for term in _terms_of(word):
            found[term] += count
    return found


# Holds the vocabulary of some large sessions. A word that is not in it takes 30 µs.
@lru_cache(maxsize=65_536)
def _terms_of(word: str) -> tuple[str, ...]:
    return tuple(_forms(word)) if len(word) <= LONGEST else ()


def _forms(word: str) -> Iterator[str]:
    if _UNSPACED.match(word):
        # No blanks part the words here, and pairs of characters find most of them.
        yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        return
    yield from _stemmed(word.strip("_"))
    parts = _PARTS.findall(word)
    if len(parts) > 1:
        for part in parts:
            yield from _stemmed(part)


def _stemmed(word: str) -> Iterator[str]:
    lower = word.casefold()
    if lower in _STOP or (len(lower) < 2 and not lower.isdigit()):
        return
    # Here, since it loads every language, and a process that only lists sessions needs none. A stemmer holds the word
    # it works on, so each call has one of its own; the package's own choice would depend on what else is installed.
    from snowballstemmer.english_stemmer import EnglishStemmer

    yield EnglishStemmer().stemWord(lower)
