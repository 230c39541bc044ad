"""Cues in a sentence: something was done, failed, is planned or comes next."""

import re
from collections.abc import Sequence

from backstory.domain.entities.words import BASE_VERBS
from backstory.domain.text.pattern import pattern
from backstory.domain.text.words import word_set

_PAST = (
    r"(?:added|built|changed|closed|committed|completed|corrected|created|deleted|deployed|documented|dropped|enabled"
    r"|extracted|finished|fixed|implemented|installed|merged|migrated|moved|opened|pushed|refactored|released|removed"
    r"|renamed|replaced|resolved|restored|reverted|rewrote|shipped|simplified|solved|switched|updated"
    r"|verified|wired|wrote)"
)
_ACHIEVED = pattern(
    rf"(?:(?:i|we)(?: have|['’]ve)?(?: (?:now|also|just|already|then))? )?{_PAST}\b(?! (?:by|in order)\b)(?=.*[\w)`])"
    r"|(?:(?:all|both|the|\d+|every|full|unit|integration|new|linter?|build|[\w`./-]{1,40}) ){0,5}"
    r"(?:tests?|checks?|build|linter?|lint|suite|migration|script|ci)"
    r"(?: (?:is|are|now|all|runs?|still))* (?:pass(?:es|ed)?|succeed(?:s|ed)|green|clean|works?|done)\b"
    r"|.{1,80}\b(?:is|are) now (?:\w{1,20} )?(?:fixed|done|complete[d]?|implemented|resolved|in place|working)\b",
    re.IGNORECASE,
)
_FOUND = pattern(
    r"\b(?:root cause|the (?:real |actual |main )?(?:issue|problem|bug|reason) (?:is|was)|turn(?:s|ed) out|caused by"
    r"|i found (?:that |the |out ))\b",
    re.IGNORECASE,
)
_FILLER = pattern(
    r"(?:hi|hey|hello|wow|oh|haha|aw+|yay|yeah|yes|yep|no|nope|thanks?|thank you|cool|great|nice|awesome|amazing|glad"
    r"|congrats|congratulations|good (?:morning|evening|to|luck)|sounds|that['’]?s|that|it['’]?s|it|this|these|those"
    r"|they|there|bye|see you|take care|sure|ok(?:ay)?|absolutely|definitely|totally|you|your|what|so|such|how|let me"
    r"|perfect|looking|now|here['’]?s"
    r"|i(?:['’]m)? (?:(?:so|totally|really|100%) )*(?:agree|proud|glad|happy|bet))(?!\w)",
    re.IGNORECASE,
)
_OWN = pattern(r"\b(?:i|i['’]\w+|my|me|we|we['’]\w+|our|us)\b", re.IGNORECASE)
_ASKED = pattern(
    r"\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\blet['’]?s\b|\bi (?:need|want|would like)\b|\bi['’]d like\b"
    r"|\bi['’]m (?:trying|working|planning|looking)\b|\bhelp me\b|\bwe (?:need|should|have to)\b",
    re.IGNORECASE,
)
_TELLS = pattern(
    r"\d|(?<=[a-z,] )[A-Z][A-Za-z]|\b(?:yesterday|today|tomorrow|last|next|ago|week|month|year)\b|[`/_]"
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


def achieved(text: str) -> bool:
    """Whether a sentence of a worker reports work that is done."""
    return _ACHIEVED.match(text) is not None and " but " not in text


def found_out(text: str) -> bool:
    """Whether a sentence tells why something is as it is."""
    return _FOUND.search(text) is not None


def is_filler(text: str) -> bool:
    """Whether a sentence greets, thanks or only refers to the one before."""
    return _FILLER.match(text) is not None


def is_of_oneself(text: str) -> bool:
    """Whether its speaker tells of themselves."""
    return _OWN.search(text) is not None


def asks(text: str) -> bool:
    """Whether a sentence asks for something to be done."""
    return _ASKED.search(text) is not None


def tells_facts(text: str) -> bool:
    """Whether a sentence names something: a number, a name, a time, a file."""
    return _TELLS.search(text) is not None


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
