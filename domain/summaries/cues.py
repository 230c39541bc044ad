"""Cues in a sentence: something was done, failed, is planned or comes next."""

import re
from collections.abc import Sequence

from backstory.domain.entities.words import BASE_VERBS
from backstory.domain.text.pattern import pattern
from backstory.domain.text.words import word_set

_MOST_READ = 400
"""Characters of a sentence that are read where an expression looks at all of it."""
_REST_OF_A_GREETING = 20
"""Characters beside "much has happened since we last talked"."""
_PAST = (
    r"(?:added|built|changed|closed|committed|completed|corrected|created|deleted|deployed|documented|dropped"
    r"|enabled"
    r"|extracted|finished|fixed|implemented|installed|merged|migrated|moved|opened|pushed|refactored|released"
    r"|removed"
    r"|modified|renamed|replaced|resolved|restored|reverted|rewrote|shipped|simplified|solved|switched|updated"
    r"|verified|wired|wrote)"
)
_PLACE = r"(?:`[^`]{1,100}`(?: \([^)]{1,40}\))? ?(?:—|–|-|:) )?"
_ACHIEVED = pattern(
    rf"{_PLACE}(?:(?:i|we)(?: have|['’]ve)?(?: (?:now|also|just|already|then))? )?{_PAST}\b"
    r"(?! (?:by|in order|on (?:every|each)|when|whenever|if|once|during|until|unless)\b)(?=.*[\w)`])"
    r"|(?!this|that|it|to|let|if|when|make)(?:(?:all|both|the|\d+|every|full|unit|integration|new|linter?"
    r"|build|[\w`./-]{1,40}) ){0,5}"
    r"(?:tests?|checks?|build|linter?|lint|suite|migration|script|ci)"
    r"(?: (?:is|are|now|all|runs?|still))* (?:pass(?:es|ed)?|succeed(?:s|ed)|green|clean|works?|done)\b"
    rf"|.{{1,80}}\b(?:has|have) (?:now |all |both )?been (?:\w{{1,20}}ly )?{_PAST}\b"
    r"|\d+ passed\b"
    r"|.{1,80}\d\S{0,8} ?(?:→|->) ?\d"
    r"|.{1,80}\b(?:is|are) now (?:\w{1,20} )?(?:fixed|done|complete[d]?|implemented|resolved|in place"
    r"|working)\b",
    re.IGNORECASE,
)
_NOT_DONE = pattern(r" but |[-–—:,] (?:not|is|are|let me|should)\b|\b(?:isn|aren)['’]t\b", re.IGNORECASE)
_FOUND = pattern(
    r"\b(?:root cause|the (?:real |actual |main )?(?:issue|problem|bug|reason) (?:is|was)\b(?! related)"
    r"|turn(?:s|ed) out|caused by"
    r"|i found (?:that |the |out ))\b",
    re.IGNORECASE,
)
_FILLER = pattern(
    r"(?:hi|hey|hello|wow|oh|haha|aw+|yay|yeah|yes|yep|no|nope|thanks?|thank you|cool|great|nice|awesome"
    r"|amazing|glad"
    r"|congrats|congratulations|good (?:morning|evening|to|luck)|sounds|that['’]?s|that|it['’]?s|it|this"
    r"|these|those"
    r"|they|there|bye|see you|take care|sure|ok(?:ay)?|absolutely|definitely|totally|you|your|what|so|such"
    r"|how|let me"
    r"|perfect|looking|now|here['’]?s|keep|hop(?:e|ing)|don['’]t (?:be|worry|give|forget)|can['’]t wait"
    r"|something"
    r"|i(?:['’]m)? (?:(?:so|totally|really|100%) )*(?:agree|proud|glad|happy|bet))(?!\w)",
    re.IGNORECASE,
)
_OWN = pattern(r"\b(?:i|i['’]\w+|my|me|we|we['’]\w+|our|us)\b", re.IGNORECASE)
_ASKED = pattern(
    r"\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\blet['’]?s\b|\bi (?:need|want|would like)\b"
    r"|\bi['’]d like\b"
    r"|\bi['’]m (?:trying|working|planning|looking)\b|\bhelp me\b|\bwe (?:need|should|have to)\b",
    re.IGNORECASE,
)
_TELLS = pattern(
    r"\d|(?<=[a-z,] )[A-Z][A-Za-z]|\b(?:yesterday|today|tomorrow|last|next|ago|week|month|year)\b|[`/_]"
)
_LEAD = pattern(
    r"(?:(?:hmm+|uhm?|um|oh|man|btw|by the way|sorry|ok(?:ay)?|yes|yeah|yep|sure|cool|great|nice|perfect|well"
    r"|right|so(?! far)|and|but|also|however|now|it (?:seems|looks"
    r" like|appears)(?: that)?|interesting|upon [^,.]{3,40}, i (?:notice|see) that|thanks[^,.;]{0,30}"
    r"|good (?:point|question|catch)|i just wanted to (?:let you know|tell you)(?: that)?)"
    r"(?![\w'’])[\s,.:!–—-]{1,4}){1,4}",
    re.IGNORECASE,
)
# "Much has happened since we last talked" is a greeting.
_SINCE_LAST_TIME = pattern(
    r"\b(?:busy|crazy|lots?|much|things|stuff)\b[^,.;:!?–—]{0,60}\bsince (?:we|our)\b[^,.;:!?–—]{0,30}"
    r"\b(?:talk|spoke|chat|met|caught up)\w{0,3}",
    re.IGNORECASE,
)
# Words that stand for something said before: alone, the sentence does not tell of what.
_REFERS = pattern(
    r"(?:s?he|it|they|this|that|these|those|his|her|its|their)\b"
    r"|(?:two|three|four|once|twice|a few|several|both|one)\b"
    r"|.*(?<![\w'’])(?:(?:this|that|these|those) (?:one|pic\w*|photo|stuff|thing)"
    r"|(?:this|these|it|them|him|her|there|one|so)(?=[.!?…]*$))"
    r"|(?:i|we)\b[^,.;]{0,20} (?:it|that|this|them|these)\b(?! \w+ing\b)"
    r"|\w+ (?:it|them|(?:this|that)(?= (?:to|in|on|as|for)\b|[.,!]|$))\b",
    re.IGNORECASE,
)
_HAPPENED = pattern(
    r"(?<!not )(?<!n['’]t )(?<!never )\b(?:accepted|adopted|applied|arrived|bought|broke|cancel+ed|changed"
    r"|decided|died|engaged|finished|graduated"
    r"|hired|injured|joined|launched|lost|married|met|moved|opened|passed|planning|pregnant|promoted"
    r"|published|retired"
    r"|signed up|sold|started|won(?!['’])"
    r"|(?:going|gonna|will|am|['’]m|['’]ll) (?:to )?(?:start|move|visit|travel|open|launch|join|meet"
    r"|host)\w*)\b",
    re.IGNORECASE,
)
# Of feelings and principles people say much that is true of everybody.
_FEELS = pattern(
    r"\b(?:dreams?|joy\w*|happ(?:y|iness)|inspir\w+|motivat\w+|support\w*|positiv\w+|passion\w*|heart\w*"
    r"|believ\w+"
    r"|courage|strength|strong\w*|grateful|thankful|appreciat\w+|proud|give up|keep(?:ing|s)? going|cheer\w*"
    r"|journey|moments?"
    r"|memor(?:y|ies|able)|success|focus\w*|confiden\w+|feel\w*|importan\w+|meaning\w*|life['’]s|push\w*"
    r"|love[sd]?)\b",
    re.IGNORECASE,
)
_RESULT_OF_CHECKS = pattern(
    r"(?:[\w-]{1,40} ){0,5}(?:tests?|checks?|build|linter?|lint|suite|ci)(?: (?:is|are|now|all|still))* "
    r"(?:pass(?:es|ed)?|succeed(?:s|ed)|green|clean)(?: \([^)]{1,60}\)|, including [^.;]{1,60})?[.!…]?$"
    r"|\d+ passed, \d+ failed\b.{0,30}$"
    r"|(?:(?:all|both|the|\d+|every|full|existing|new|failing|remaining|other|unit|integration|of|now|and"
    r"|still|is|are|also"
    r"|tests?|checks?|build|linter?|lint(?:ing)?|suites?|ci|pass(?:es|ed)?|succeed(?:s|ed)|green|clean|works?"
    r"|done|failed)"
    r"(?:[\s,.;!:✅]{1,4}|$)){2,20}$",
    re.IGNORECASE,
)
_SUPPOSED = pattern(
    r"\b(?:might|may|could|would|will|should|if|whether|when|possib\w+|potential\w*|probably|risk|was|were"
    r"|had|(?:not|no)"
    r" (?:an? )?(?:\w{1,20} )?(?:error|issue|problem|test)s?)\b",
    re.IGNORECASE,
)
_QUOTED = pattern(r"`[^`]{1,200}`|\"[^\"]{1,200}\"|“[^”]{1,200}”")
_CHOOSE = pattern(
    r"\b(?:which|prefer|options?|approach|design|does (?:that|this|it)|thoughts|make sense|what do you"
    r"|your (?:take|call"
    r"|understanding|thinking|preference))\b",
    re.IGNORECASE,
)
_OPEN_END = word_set("or and but if for the a an of to with that which when because as by from")
_WISHED = word_set("please should must ensure want wants need needs task can could would let")
_FAILED = pattern(
    r"(?:error|exception)\b|\b(?:bugs?|cannot|can['’]t|crash\w*|(?<!\b0 )(?<!\bno )(?<!n['’]t )fail(?:s|ed"
    r"|ing|ures?)?"
    r"|refused|timed out|traceback|wrong)\b",
    re.IGNORECASE,
)
_FAILING = pattern(
    r"\b(?:(?<!\b0 )(?<!\bno )(?<!n['’]t )fail(?:s|ed|ing|ures?)?|crash(?:es|ed|ing)?|cannot|can['’]t"
    r"|unable to|broken|refused"
    r"|timed out|(?:does|do|is|are)(?:n['’]t| not) (?:\w{1,20} )?(?:work|match|compil|found|available|handl)\w*"
    r"|still (?:an? )?(?:\w{1,20} )?(?:error|issue|problem|bug)s?|blocked)\b",
    re.IGNORECASE,
)
_PLANNED = pattern(
    r"\b(?:next(?:,| step| i| we|:)|(?:i|we)(?:['’]ll| will)|let me|let['’]s|(?:am|are|['’]m|['’]re) going to"
    r"|still (?:need|have) to|remain(?:s|ing)|to ?do:?|plan to|need to|should now)\b",
    re.IGNORECASE,
)
_NEXT = pattern(
    r"\b(?:next(?:,| step| i| we|:)|then (?:i|we)(?:['’]ll| will)|still (?:need|have) to|remain(?:s to"
    r"|ing (?:task|step|item|work)s?)|to ?do:"
    r"|plan to)(?:\W|$)|\b(?:i|we)(?:['’]ll| will) (?:next|now|then)\b|\bafter that\b.*\bwill\b",
    re.IGNORECASE,
)
# It begins with what is rare and looks back from there, so that most of a sentence is passed over.
_NAMED_THING = pattern(
    r"[`/._(A-Z\d](?:(?<=`)[^`]+`|(?<=\w[/_])\w|(?<=\w\.)[a-z]{1,5}\b|(?<=[a-z][A-Z])\w|(?<=\w\()\)"
    r"|(?<=\b\d)\d*\b)"
)


def achieved(text: str) -> bool:
    """Whether a sentence of a worker reports work that is done. "Renamed files - not handled" names what is not."""
    return _ACHIEVED.match(text) is not None and _NOT_DONE.search(text) is None


def found_out(text: str) -> bool:
    """Whether a sentence tells why something is as it is."""
    return _FOUND.search(text) is not None


def is_filler(text: str) -> bool:
    """Whether a sentence greets, thanks or only refers to the one before."""
    return _FILLER.match(text) is not None


def is_a_greeting(text: str) -> bool:
    """Whether a sentence says that much has happened since the last talk, and nothing of it."""
    match = _SINCE_LAST_TIME.search(text[:_MOST_READ])
    return match is not None and len(text) - (match.end() - match.start()) <= _REST_OF_A_GREETING


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


def is_failing(text: str) -> bool:
    """Whether a sentence of a worker tells of something that fails now, not of what could fail or did once."""
    return _FAILING.search(_QUOTED.sub("`", text)) is not None and _SUPPOSED.search(text) is None


def asks_to_choose(text: str) -> bool:
    """Whether a text ends with the question which of several ways to go."""
    last = text.rstrip().rsplit("\n", 1)[-1][-_MOST_READ:]
    return last.endswith("?") and _CHOOSE.search(last) is not None


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


def lead_length(text: str) -> int:
    """The number of characters of the words that only lead to a sentence: "hmm, so", "it seems that"."""
    match = _LEAD.match(text)
    return match.end() if match is not None and match.end() < len(text) else 0


def refers_back(text: str) -> bool:
    """Whether a sentence speaks of something that another has named."""
    return _REFERS.match(text[:_MOST_READ]) is not None


def tells_of_a_change(text: str) -> bool:
    """Whether a sentence tells of an event in somebody's life or work, or of one that is planned."""
    return _HAPPENED.search(text) is not None


def feels(text: str) -> bool:
    """Whether a sentence tells of feelings and principles."""
    return _FEELS.search(text) is not None


def is_result_of_checks(text: str) -> bool:
    """Whether a sentence says of tests and checks that they pass, and nothing else."""
    return len(text) <= _MOST_READ and _RESULT_OF_CHECKS.match(text) is not None


def is_unfinished(text: str) -> bool:
    """Whether a sentence stops before its end, as one of several options does: "add a check, or"."""
    last = text.rstrip(".…!*_ ").rsplit(" ", 1)[-1].lower()
    return text.endswith((",", "(")) or last in _OPEN_END
