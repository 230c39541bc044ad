"""Lines of prose and the words in them that carry meaning."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from backstory.domain.text.markdown import outside_code
from backstory.domain.text.words import UNSPACED, words

LONGEST_SENTENCE = 240
CUT = "…"
_STEM = 4
_ALIKE = 0.6
"""Two sentences that share this much of their words say the same."""

# Characters that cannot be shown: control characters, halves of surrogate pairs, and marks that turn the direction
# of what follows them.
UNSHOWABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_UNSPACED_LETTER = re.compile(rf"[{UNSPACED}]")
_FIRST_UNSPACED = "\u0e00"
_MARK = re.compile(r"[^\w ]|_")
_ASCII_MARKS = bytes(code for code in range(128) if _MARK.match(chr(code)))
_TAG = re.compile(r"\s*</?[\w-]+>\s*")
_LINE_MARK = re.compile(r"^\s*(?:(?:[-*+•>]+|#{1,6}|(?:\d{1,3}|[A-Z])[.)])\s+)*")
_CLAUSE_END = re.compile(rf"[,;:](?= |{CUT})| (?=(?:but|because|which|so that|–|—|-) )")
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    a about above after again all also am an and any are as at be because been before being below between
    both but by can could did do does doing done down during each else even ever every few first for from
    further get got had has have having he hello her here hers hey hi him his how i if in into is it its
    itself just last let lets like ll made make many may me might mine more most much must my no nor not now
    of off ok okay on once one only or other our ours out over own please re same shall she should since so
    some still such sure than thank thanks that the their theirs them then there these they thing things
    this those though through to too under until up upon us use used using ve very want was we well were
    what when where which while who whom whose why will with within without would yes yet you your yours
        """,
    )
)


def one_line(text: str) -> str:
    """The text with every run of blanks and unshowable characters as one blank."""
    return " ".join((text if text.isprintable() else UNSHOWABLE.sub(" ", text)).split())


def cut(text: str, longest: int = LONGEST_SENTENCE) -> str:
    """The text, or its beginning up to a word's end with … after it."""
    if len(text) <= longest:
        return text
    kept = text[: longest - len(CUT)]
    blank = kept.rfind(" ")
    kept = kept[:blank] if blank > longest // 2 else kept
    # A mark that belongs to the letter before it must not be parted from it.
    while kept and unicodedata.combining(text[len(kept)]):
        kept = kept[:-1]
    return kept.rstrip() + CUT


def cut_at_a_clause(text: str, longest: int) -> str:
    """The text, or its beginning up to the end of a clause, if one ends in its second half, with … after it."""
    if len(text) <= longest:
        return text
    kept = cut(text, longest)
    ends = [end.start() for end in _CLAUSE_END.finditer(kept) if end.start() > longest // 3]
    return kept[: ends[-1]].rstrip(",;:") + CUT if ends else kept


def is_cut(text: str, whole: str) -> bool:
    """Whether the text is the whole, or its beginning as `cut` leaves it."""
    return text == whole or (text.endswith(CUT) and whole.startswith(text.removesuffix(CUT)))


def stems(text: str) -> Iterable[str]:
    """The first letters of each word, so that "tests" and "tested" are one.

    Where a script has no blanks between words, every two letters in a row stand for a word.
    """
    return _stems(words(text))


def content_words(text: str) -> frozenset[str]:
    """The words that say what a text is about: neither the most common ones nor single letters."""
    return telling(words(text))


def telling(folded: Iterable[str]) -> frozenset[str]:
    """The same, given the `words` of the text."""
    return frozenset(_stems([word for word in {*folded} - _STOP_WORDS if len(word) > 1 or word.isdigit()]))


def share_most_words(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts with these words say about the same."""
    together = one | other
    return bool(together) and len(one & other) >= _ALIKE * len(together)


def _stems(folded: Sequence[str]) -> Iterable[str]:
    if max(folded, default="") < _FIRST_UNSPACED:
        return [word[:_STEM] for word in folded]
    return (stem for word in folded for stem in _stems_of(word))


def _stems_of(word: str) -> Iterable[str]:
    if not _UNSPACED_LETTER.match(word):
        return (word[:_STEM],)
    return [word[place : place + 2] for place in range(max(1, len(word) - 1))]


def is_prose(text: str) -> bool:
    """Whether a text has one of the most common words, as every longer sentence in English does."""
    return not text.isascii() or not _STOP_WORDS.isdisjoint(words(text))


def is_nonsense(text: str) -> bool:
    """Whether a text says nothing: no letter or digit, one character repeated, or one word over and over."""
    return are_nonsense(words(text))


def are_nonsense(folded: Sequence[str]) -> bool:
    """The same, given the `words` of the text."""
    if not folded:
        return True
    letters = "".join(folded)
    one_letter = len(letters) >= 4 and letters == letters[0] * len(letters)
    one_word = len(folded) >= 8 and folded.count(folded[0]) == len(folded)
    return one_letter or one_word


def prose_lines(text: str) -> Iterator[str]:
    """The lines that people would read aloud: no code, no tables, without the marks of lists and headings."""
    for line in outside_code(text).splitlines():
        bare = line.lstrip()
        if bare.startswith("|") or (bare.startswith("<") and _TAG.fullmatch(line)):
            continue
        clean = one_line(_LINE_MARK.sub("", line, count=1) if _may_be_marked(bare) else line)
        if clean and (len(clean) - _marks(clean)) * 10 >= len(clean) * 7:
            yield clean


def _may_be_marked(bare: str) -> bool:
    return bare[:1] in "-*+•>#" or bare[:1].isdigit() or bare[1:2] in (".", ")")


def _marks(clean: str) -> int:
    """The number of characters that are not letters, digits or blanks."""
    if clean.isascii():
        return len(clean) - len(clean.encode().translate(None, _ASCII_MARKS))
    return len(_MARK.findall(clean))
