"""Rationales of decisions that a message states: in the same sentence, before the cue, or right after."""

from collections.abc import Sequence
from typing import NamedTuple

from backstory.domain.text.pattern import pattern
from backstory.domain.text.sentences import Sentence


class Rationale(NamedTuple):
    """A rationale within a sentence."""

    before: int
    """The end of the decision."""
    span: tuple[int, int]


_SINCE_WHEN = (
    r"(?:\d|v\d|yesterday|last|monday|tuesday|wednesday|thursday|friday|saturday|sunday|then|when|"
    r"the (?:start|beginning|last))"
)
_PRONOUN = r"(?:it|we|they|that|this|there|you|i|he|she|our|nobody|nothing|everything)"
_WITHIN = pattern(
    r",?\s{1,3}\(?(?:because of|because|'cause|since(?! "
    + _SINCE_WHEN
    + r")|so that|given that|given|seeing that|seeing as|due to|"
    r"in order to|on the grounds that|the reason being(?: that)?|so(?= (?:"
    + _PRONOUN
    + r"|the|users|clients|no|every|each|a)\b))\s{1,3}"
    r"|,?\s{1,3}as(?= "
    + _PRONOUN
    + r"\b)(?! (?:it is\b[.\s]{0,4}$|we (?:discussed|agreed|said|did|do|planned)|you (?:said|suggested|asked)))\s{1,3}"
    r"|,\s{1,3}as\s{1,3}(?!discussed|agreed|well|usual|before|planned|always|said|mentioned|suggested|requested|"
    r"a\b|an\b|the default)"
    r"|(?P<kept>,?\s{1,3}(?=to (?:avoid|prevent|reduce|minimi[sz]e|ensure|make sure|keep|save|simplify)\b"
    r"|for (?:its|their|better|the sake|simplicity|performance|safety|security|consistency|compatibility|speed)\b))"
    r"|(?P<mostly>,?\s{1,3}(?=(?:mostly|mainly|purely|partly) (?:for|because|due|to)\b))"
    r"|,\s{1,3}(?=(?:the (?:\w{1,20} ){1,2}(?:already|only|gets?|has|have|is|are|knows?|needs?|can't|cannot|"
    r"don't|doesn't)|"
    r"we (?:already|have|don't|only|can't|never)|nobody|everybody|everyone|it's|it is|it has|it was|that's|"
    r"they're|they are|there's|there is|otherwise)\b)"
    r"|(?::\s{1,3}|\s{1,3}(?:–|—|-{1,2})\s{1,3})(?=(?:"
    + _PRONOUN
    + r"|it's|that's|they're|the|an?|no|less|fewer|easier|simpler|"
    r"faster|cheaper|better|otherwise|too)\b)"
)
_BEFORE = pattern(
    r"(?:(?:ok|okay|so|and|but|well|yes|right|now),?\s{1,2}){0,2}"
    r"(?:since|because|given that|given|"
    r"as(?! (?:you|we|i|already) (?:said|suggested|proposed|wrote|asked|told|agreed|discussed))|"
    r"seeing that|seeing as|due to|"
    r"considering(?: that)?)\s{1,3}(?P<why>[^\n]{3,300}?),\s{1,3}$"
)
_HENCE = pattern(r"(?P<why>\S[^\n]{4,300}?),?\s{1,3}(?:so|hence|therefore|thus)(?: then)?,?\s{1,3}$")
_AFTER = pattern(
    r"(?:(?:the|my|our)(?: main)? reason(?:ing)?(?: is| being| was)?(?: that)?|reasons?(?=:)|rationale|why(?=:)|"
    r"because|"
    r"that's because|this is because|it's because|that is because)[\s:,]{1,4}(?=\S)"
)
_EXPLAINS = pattern(
    r"(?:it|this|that|they)(?:'s|'re)?\s{1,2}(?:is|are|makes?|keeps?|gives?|lets?|avoids?|means|saves?|allows?|"
    r"helps?|removes?|"
    r"has|have|needs?|costs?|only|just|already|simpler|cheaper|faster|easier|far|too|much|the only)\b"
    r"|(?:that|this) way,?\s"
    r"|(?:much |far |way )?(?:simpler|cheaper|faster|easier|safer|cleaner|fewer|less)\b"
)
_CLAUSE = pattern(r"(?:" + _PRONOUN + r"|it's|that's|they're|the|an?|no|removing|adding)\b")


def rationale_within(own: str, start: int, end: int) -> Rationale | None:
    """The reason given after the cue, in the same sentence."""
    match = _WITHIN.search(own, start, end)
    if match is None or match.start() <= start or len(own[match.end() : end].split()) < 1:
        return None
    return Rationale(match.start(), (match.end(), end))


def rationale_before(own: str, start: int, cue: int) -> tuple[int, int] | None:
    """The reason given first: "Since …, let's", "…, so we'll"."""
    before = own[start:cue]
    match = _BEFORE.fullmatch(before) or _HENCE.fullmatch(before)
    return None if match is None else (start + match.start("why"), start + match.end("why"))


def rationale_after(own: str, said: Sequence[Sentence], place: int) -> tuple[int, int] | None:
    """The reason given by the sentence that follows, when that sentence says that it explains."""
    here = said[place]
    following = said[place + 1] if place + 1 < len(said) else None
    if following is None or following.block != here.block or following.mark == "?":
        return None
    named = _AFTER.match(own, following.start, following.end)
    if named is not None:
        return named.end(), following.end
    explains = _EXPLAINS.match(own, following.start, following.end)
    if explains is None and here.mark == ";":
        explains = _CLAUSE.match(own, following.start, following.end)
    return None if explains is None else (following.start, following.end)
