"""Cues in a sentence: something was done, failed, is planned or comes next."""

import re
from collections.abc import Sequence

from backstory.domain.entities.words import BASE_VERBS
from backstory.domain.text.pattern import pattern
from backstory.domain.text.words import word_set

_DONE = pattern(
    r"\b(?:add(?:s|ed)|agree[ds]?|answer(?:s|ed)|because|built|caus(?:e[ds]?|ing)|chang(?:es|ed)|chose[n]?|clos(?:es|ed)"
    r"|complet(?:es|ed)|confirm(?:s|ed)|creat(?:es|ed)|decid(?:es|ed)|deploy(?:s|ed)|done|finish(?:es|ed)|fix(?:es|ed)"
    r"|found|implement(?:s|ed)|instead|merg(?:es|ed)|mov(?:es|ed)|now (?:pass|work)\w*|pass(?:es|ed)|prov(?:es|ed)"
    r"|remov(?:es|ed)|renam(?:es|ed)|replac(?:es|ed)|resolv(?:es|ed)|return(?:s|ed)|root cause|set up|ship(?:s|ped)"
    r"|so that|solv(?:es|ed)|switch(?:es|ed)|turn(?:s|ed) out|updat(?:es|ed)|verif(?:ies|ied)|works|wrote)\b",
    re.IGNORECASE,
)
_REPORTED = pattern(
    r"\b(?:added|built|changed|closed|completed|confirmed|created|deployed|done|finished|fixed|found|implemented|merged"
    r"|moved|now (?:pass|work)\w*|pass(?:es|ed)|removed|renamed|replaced|resolved|set up|shipped|solved|switched"
    r"|updated|verified|works|wrote)\b",
    re.IGNORECASE,
)
_WISHED = word_set("please should must ensure want wants need needs task can could would let")
_FAILED = pattern(
    r"(?:error|exception)\b|\b(?:bugs?|cannot|can['’]t|crash\w*|fail(?:s|ed|ing|ure)?|refused|timed? ?out|traceback"
    r"|wrong)\b",
    re.IGNORECASE,
)
_PLANNED = pattern(
    r"\b(?:next(?:,| step| i| we|:)|(?:i|we)(?:['’]ll| will)|let me|let['’]s|(?:am|are|['’]m|['’]re) going to"
    r"|still (?:need|have) to|remain(?:s|ing)|to ?do:?|plan to|need to|should now)\b",
    re.IGNORECASE,
)
_NEXT = pattern(
    r"\b(?:next(?:,| step| i| we|:)|then (?:i|we)(?:['’]ll| will)|still (?:need|have) to|remain(?:s|ing)|to ?do:"
    r"|plan to)(?:\W|$)|\b(?:i|we)(?:['’]ll| will) (?:next|now|then)\b|\bafter that\b.*\bwill\b",
    re.IGNORECASE,
)
# It begins with what is rare and looks back from there, so that most of a sentence is passed over.
_NAMED_THING = pattern(
    r"[`/._(A-Z\d](?:(?<=`)[^`]+`|(?<=\w[/_])\w|(?<=\w\.)[a-z]{1,5}\b|(?<=[a-z][A-Z])\w|(?<=\w\()\)|(?<=\b\d)\d*\b)"
)


def done(text: str) -> bool:
    """Whether a sentence tells of something that was done."""
    return _DONE.search(text) is not None


def reported(text: str) -> bool:
    """Whether a sentence tells of something that was done, in words that a wish would not use."""
    return _REPORTED.search(text) is not None


def is_wish(words: Sequence[str]) -> bool:
    """Whether a sentence of these words, in lower case, asks for something to be done."""
    first = words[1] if words[:1] == ["please"] and len(words) > 1 else words[0] if words else ""
    return first in BASE_VERBS or not _WISHED.isdisjoint(words)


def failed(text: str) -> bool:
    """Whether a sentence tells of something that failed."""
    return _FAILED.search(text) is not None


def planned(text: str) -> int | None:
    """The place where a sentence begins to tell of something that is not done yet; None if it does not."""
    match = _PLANNED.search(text)
    return match.start() if match else None


def comes_next(text: str) -> bool:
    """Whether a sentence tells of something that will be done next."""
    return _NEXT.search(text) is not None


def names_a_thing(text: str) -> bool:
    """Whether a sentence names a file, a function or a number, or quotes code."""
    return _NAMED_THING.search(text) is not None
