"""What the words of a sentence show: that something was done, failed, is planned or comes next.

Every sentence of every message is asked, and few show anything. So each expression is tried only on a sentence that
has one of the words without which it cannot match.
"""

import re
from collections.abc import Iterable, Sequence

from backstory.domain.entities.words import BASE_VERBS, word_set

_DONE = re.compile(
    r"\b(?:add(?:s|ed)|agree[ds]?|answer(?:s|ed)|because|built|caus(?:e[ds]?|ing)|chang(?:es|ed)|chose[n]?|clos(?:es|ed)"
    r"|complet(?:es|ed)|confirm(?:s|ed)|creat(?:es|ed)|decid(?:es|ed)|deploy(?:s|ed)|done|finish(?:es|ed)|fix(?:es|ed)"
    r"|found|implement(?:s|ed)|instead|merg(?:es|ed)|mov(?:es|ed)|now (?:pass|work)\w*|pass(?:es|ed)|prov(?:es|ed)"
    r"|remov(?:es|ed)|renam(?:es|ed)|replac(?:es|ed)|resolv(?:es|ed)|return(?:s|ed)|root cause|set up|ship(?:s|ped)"
    r"|so that|solv(?:es|ed)|switch(?:es|ed)|turn(?:s|ed) out|updat(?:es|ed)|verif(?:ies|ied)|works|wrote)\b",
    re.IGNORECASE,
)
_DONE_WORDS = word_set(
    """adds added agree agreed agrees answers answered because built cause caused causes causing changes changed chose
    chosen closes closed completes completed confirms confirmed creates created decides decided deploys deployed
    done finishes finished fixes fixed found implements implemented instead merges merged moves moved now passes
    passed proves proved removes removed renames renamed replaces replaced resolves resolved returns returned root
    set ships shipped so solves solved switches switched turns turned updates updated verifies verified works
    wrote"""
)
_REPORTED = re.compile(
    r"\b(?:added|built|changed|closed|completed|confirmed|created|deployed|done|finished|fixed|found|implemented|merged"
    r"|moved|now (?:pass|work)\w*|pass(?:es|ed)|removed|renamed|replaced|resolved|set up|shipped|solved|switched"
    r"|updated|verified|works|wrote)\b",
    re.IGNORECASE,
)
_WISHED = word_set("please should must ensure want wants need needs task can could would let")
_FAILED = re.compile(
    r"(?:error|exception)\b|\b(?:bugs?|cannot|can['’]t|crash\w*|fail(?:s|ed|ing|ure)?|refused|timed? ?out|traceback"
    r"|wrong)\b",
    re.IGNORECASE,
)
_FAILED_PARTS = ("error", "exception", "crash")
_FAILED_WORDS = word_set(
    """bug bugs can cannot fail fails failed failing failure refused time timed timedout timeout traceback
    wrong"""
)
_PLANNED = re.compile(
    r"\b(?:next(?:,| step| i| we|:)|(?:i|we)(?:['’]ll| will)|let me|let['’]s|(?:am|are|['’]m|['’]re) going to"
    r"|still (?:need|have) to|remain(?:s|ing)|to ?do:?|plan to|need to|should now)\b",
    re.IGNORECASE,
)
_PLANNED_WORDS = word_set("next ll will let going still remains remaining do todo plan need should")
_NEXT = re.compile(
    r"\b(?:next(?:,| step| i| we|:)|then (?:i|we)(?:['’]ll| will)|still (?:need|have) to|remain(?:s|ing)|to ?do:"
    r"|plan to)(?:\W|$)|\b(?:i|we)(?:['’]ll| will) (?:next|now|then)\b|\bafter that\b.*\bwill\b",
    re.IGNORECASE,
)
_NEXT_PARTS = ("next", "then", "still", "remain", "do:", "plan", "now", "after")
# It begins with what is rare and looks back from there, so that most of a sentence is passed over.
_NAMED_THING = re.compile(
    r"[`/._(A-Z\d](?:(?<=`)[^`]+`|(?<=\w[/_])\w|(?<=\w\.)[a-z]{1,5}\b|(?<=[a-z][A-Z])\w|(?<=\w\()\)|(?<=\b\d)\d*\b)"
)


def done(text: str, words: Iterable[str]) -> bool:
    """Does a sentence tell of something that was done? Its words are given in lower case, here and below."""
    return (not _DONE_WORDS.isdisjoint(words) or _is_odd(text)) and _DONE.search(text) is not None


def reported(text: str) -> bool:
    """Does a sentence tell of something that was done, where one that wishes for it may use the same words?"""
    return _REPORTED.search(text) is not None


def is_wish(words: Sequence[str]) -> bool:
    """Does a sentence ask for something to be done?"""
    first = words[1] if words[:1] == ["please"] and len(words) > 1 else words[0] if words else ""
    return first in BASE_VERBS or not _WISHED.isdisjoint(words)


def failed(text: str, words: Iterable[str]) -> bool:
    """Does a sentence tell of something that failed?"""
    hinted = not _FAILED_WORDS.isdisjoint(words) or _has_part(text, _FAILED_PARTS) or _is_odd(text)
    return hinted and _FAILED.search(text) is not None


def planned(text: str, words: Iterable[str]) -> int | None:
    """Where a sentence begins to tell of something that is not done yet; None if it does not."""
    if _PLANNED_WORDS.isdisjoint(words) and not _is_odd(text):
        return None
    found = _PLANNED.search(text)
    return found.start() if found else None


def comes_next(text: str) -> bool:
    """Does a sentence tell what will be done next?"""
    return (_has_part(text, _NEXT_PARTS) or _is_odd(text)) and _NEXT.search(text) is not None


def names_a_thing(text: str) -> bool:
    """Does a sentence name a file, a function or a number, or quote code?"""
    return _NAMED_THING.search(text) is not None


def _has_part(text: str, parts: Iterable[str]) -> bool:
    lowered = text.lower()
    return any(part in lowered for part in parts)


def _is_odd(text: str) -> bool:
    # Beyond ASCII a letter may match one that it is not in lower case: "ı" matches "i".
    return not text.isascii()
