"""Wishes that something be remembered: "remember that …", "don't forget", "keep in mind"."""

import re

from backstory.domain.text.markdown import READ, own_words, quotations
from backstory.domain.text.sentences import Sentence, sentences

_WISH = re.compile(
    r"(?<![\w'])(?:"
    r"(?P<remember>remember(?!(?:ed|ing|s)\b)\b(?!\s{1,3}(?:when|me\b|how we|the time|having|seeing)))"
    r"|(?:do not|don't|dont|never) (?:ever )?(?:forget\b(?! it\b| about it\b)|let (?:me|us|anyone) forget\b)"
    r"|(?:keep|bear) (?:this |that |it |these )?in mind\b"
    r"|(?:note|save|store|keep|remember) (?:that|this|it) (?:down )?for (?:later|the future|next time|future)\b"
    r"|(?:make|take) a (?:mental )?note\b"
    r"|(?:write|note|jot) (?:this|that|it) down\b"
    r"|(?:note|reminder) for (?:later|the future|yourself)\b"
    r"|for (?:your )?future reference\b"
    r"|(?:this is |that's )?important for (?:later|future)\b"
    r"|(?:add|put) (?:this |that |it )?(?:to|in) your (?:notes|memory)\b"
    r"|(?:memorise|memorize) (?:this|that)\b"
    r")"
)
# The words that may stand before the wish. Anything else makes it a report: "I remember", "he can't remember", "to
# remember".
_LEAD = re.compile(
    r"(?:^|[,:;()–—.!*_]|\s-)\s{0,3}"
    r"(?:(?:and|but|so|also|then|ok|okay|yes|thanks|please|pls|just|always|now|hey|hi),?\s{1,2}){0,3}$"
    r"|(?<![\w'])(?:please|pls|you to|you should|you must|(?<!ll make )sure to|sure you|sure we|you need to|"
    r"you have to|"
    r"can you|could you|will you|we should|we must|we need to|let's)\s{1,2}(?:(?:please|always|also)\s{1,2})?$"
)
_POLITE = re.compile(r"(?<![\w'])(?:can|could|will|would) you(?: please)?\s{0,3}$")


def asks_to_remember(text: str) -> bool:
    """Does the message ask to keep something in memory? Not so "I don't remember" and "do you remember"."""
    return wishes(own_words(text[:READ]))


def wishes(own: str) -> bool:
    """The same for a text that `own_words` gave."""
    quoted = quotations(own)
    for sentence in sentences(own):
        for wish in _WISH.finditer(own, sentence.start, sentence.end):
            in_quotes = any(start < wish.start() < end for start, end in quoted)
            if not in_quotes and _is_asked(own, sentence, wish):
                return True
    return False


def _is_asked(own: str, sentence: Sentence, wish: re.Match[str]) -> bool:
    before = own[sentence.start : wish.start()]
    if sentence.mark == "?" and wish["remember"] and not _POLITE.search(before):
        return False
    return _LEAD.search(before) is not None
