"""The words that turn a sentence into a decision, and those around them that take it back."""

import re
from typing import NamedTuple

from backstory.domain.decisions import cue_patterns as patterns
from backstory.domain.text.sentences import Sentence


class Cue(NamedTuple):
    """The place in a sentence that decides something."""

    start: int
    """Of the deciding words: "we decided to"."""
    content: int
    """Of what is decided: after words that only frame it, or with the topic that stands before them."""
    verb_end: int
    """From here on a rationale may stand."""


def heads_a_list(sentence: str) -> bool:
    """Is this a heading such as "Decisions made:"?"""
    return patterns.LISTED.match(sentence) is not None


def decision_cue(text: str, own: str, sentence: Sentence, role: str) -> Cue | None:
    """The cue that makes a sentence of a text a decision, or None. `own` is the text in lower case."""
    if sentence.mark == "?":
        return None
    said = own[sentence.start : sentence.end]
    cue = _labelled(said) or _decided(said)
    if cue is None and role == "user":
        cue = _ordered(text, said, sentence)
    cue = cue or _it_is(said)
    if cue is None or patterns.NOTHING_SAID.match(said, cue.verb_end):
        return None
    return Cue(*(place + sentence.start for place in cue))


def _labelled(said: str) -> Cue | None:
    label = patterns.LABEL.match(said)
    if label is None or patterns.UNDECIDED.match(said, label.end()):
        return None
    inner = patterns.DECIDING.match(said, label.end())
    content = inner.end() if inner and inner["frame"] else label.end()
    return Cue(label.start(), content, content)


def _decided(said: str) -> Cue | None:
    for start in patterns.SUBJECT.finditer(said):
        match = patterns.DECIDING.match(said, start.start())
        if match is None:
            continue
        before = said[: match.start()]
        after = match.end()
        if _is_hedged(before) or _is_taken_back(said, match):
            continue
        if match["weak"] and not patterns.CONTRAST.search(said, after) and not _is_a_reason(before):
            continue
        content = _topic(said, match.start())
        if content is None:
            content = after if match["frame"] else match.start()
            if match["weak"] and not before.rstrip(" ,").endswith(" so"):
                content = _sentence_start(said)
        return Cue(match.start(), content, after)
    return None


def _is_hedged(before: str) -> bool:
    """Does what stands before the cue make it a question, a supposition, a proposal or a report?"""
    if patterns.HEDGED.search(before) is None:
        return False
    return patterns.ALLOWED_REPORT.search(before) is None and not _is_a_reason(before)


def _is_taken_back(said: str, match: re.Match[str]) -> bool:
    """Does what stands after the cue leave no choice, or leave it open?"""
    after = match.end()
    return (
        patterns.NO_CHOICE.match(said, after) is not None
        or (bool(match["whole"]) and patterns.UNDECIDED.match(said, after) is not None)
        or patterns.TAKEN_BACK.search(_clause(said, after)) is not None
        or patterns.LONG_AGO.search(said, 0, after) is not None
    )


def _ordered(text: str, said: str, sentence: Sentence) -> Cue | None:
    """A user's order: "go with B", "use RS256". To use a thing is a choice only when it is weighed or named."""
    match = patterns.ORDER.match(said)
    if match is None:
        return None
    start = match.end("from") if match["from"] else match.end("aside")
    rest = _clause(said, match.end())
    if patterns.NO_CHOICE.match(said, start) or patterns.TAKEN_BACK.search(rest):
        return None
    if (
        match["use"]
        and not match["use"].startswith(("do", "never", "always"))
        and not patterns.WEIGHED.search(said, start)
    ):
        thing = text[sentence.start + match.end() : sentence.start + match.end() + len(rest)]
        if len(thing.split()) > 6 or not patterns.NAMED.search(thing):
            return None
    return Cue(start, start, match.end())


def _it_is(said: str) -> Cue | None:
    match = patterns.IT_IS.match(said) if " it is" in said else None
    if match is None or patterns.NOT_A_THING.search(match["thing"]) or len(match["thing"].split()) > 6:
        return None
    return Cue(match.start("thing"), match.start("thing"), match.start("thing"))


def _clause(said: str, start: int) -> str:
    """The text from there up to the beginning of a reason."""
    reason = patterns.REASON.search(said, start)
    return said[start : reason.start() if reason else len(said)]


def _is_a_reason(before: str) -> bool:
    """Is what stands before the cue the reason for it, so that a "would" there takes nothing back?"""
    return patterns.REASON_FIRST.match(before) is not None or before.rstrip(" ,").endswith(" so")


def _topic(said: str, cue: int) -> int | None:
    """The beginning of the topic before the cue: "For the cache, let's use …"."""
    match = patterns.TOPIC.fullmatch(said, 0, cue)
    return None if match is None else match.start("topic")


def _sentence_start(said: str) -> int:
    """The beginning of the sentence after an aside and after a reason that stands first."""
    start = patterns.OPENING.match(said)
    return start.end() if start else 0
