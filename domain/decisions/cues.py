"""The words that turn a sentence into a decision, and those around them that take it back."""

import re
from typing import NamedTuple

from backstory.domain.decisions import cue_patterns as patterns
from backstory.domain.decisions.replies import reply_content
from backstory.domain.entities.entities import extract_names
from backstory.domain.entities.words import HEADS
from backstory.domain.text.sentences import Sentence
from backstory.domain.text.words import words

_ARTIFACTS = frozenset({"file", "function", "class", "technology", "error"})


class Cue(NamedTuple):
    """The place in a sentence that decides something."""

    start: int
    """Of the deciding words: "we decided to"."""
    content: int
    """Of what is decided: after words that only frame it, or with the topic that stands before them."""
    verb_end: int
    """From here on a rationale may stand."""
    end: int
    """Of what is decided, with its rationale. What a sentence asks after that is no part of it."""


class Speech(NamedTuple):
    """The circumstances of a message."""

    role: str
    document: bool
    """Whether it was pasted or loaded: nobody gives orders in it."""
    reply: bool
    """Whether a user answers an agent: then it is about the work at hand."""


def decision_cue(text: str, own: str, sentence: Sentence, speech: Speech) -> Cue | None:
    """The cue that makes a sentence of a text a decision, or None. `own` is the text in lower case."""
    if sentence.kind == "heading":
        return None
    said = own[sentence.start : sentence.end]
    asks = patterns.ASKING.search(said)
    # "We'll use B, can you set it up?" decides before it asks.
    told = [said[: asks.start()]] if asks is not None else []
    for part in told if sentence.mark == "?" else (*told, said):
        cue = _labelled(part) or _unlabelled(text[sentence.start : sentence.end], part, sentence, speech)
        if cue is not None and not patterns.NOTHING_SAID.match(part, cue.verb_end):
            return Cue(*(place + sentence.start for place in cue))
    return None


def _unlabelled(sentence: str, said: str, place: Sentence, speech: Speech) -> Cue | None:
    if patterns.HOW_TO_ANSWER.search(said):
        return None
    gives_orders = speech.role == "user" and not speech.document and place.kind == "paragraph"
    cue = _decided(said, speech) or _it_is(said) or (_ordered(said) if gives_orders else None)
    if cue is not None and _is_about_the_work(sentence, said, cue):
        return cue
    if not (speech.reply and gives_orders):
        return None
    if cue is None:
        content = reply_content(said)
        return None if content is None else Cue(content, content, content, len(said))
    own_life = patterns.OWN.match(said, cue.start) and not patterns.OWN_CHOICE.match(said, cue.start)
    return None if own_life or patterns.SAID_BEFORE.match(said, cue.content) else cue


def _is_about_the_work(sentence: str, said: str, cue: Cue) -> bool:
    """Does the decision name a thing that work is done on or with? What people keep, choose and go to in their daily
    life does not."""
    if patterns.STANDING.match(said, cue.start):
        return True
    if any(mention.kind in _ARTIFACTS for mention in extract_names(sentence[cue.content :])):
        return True
    weighty = patterns.TOGETHER.match(said, cue.start) or patterns.WEIGHED.search(said, cue.start)
    return bool(weighty) and any(_is_a_head(word) for word in words(said[cue.content :]))


def _is_a_head(word: str) -> bool:
    return word in HEADS or word.removesuffix("s") in HEADS


def _labelled(said: str) -> Cue | None:
    label = patterns.LABEL.match(said)
    if label is None or patterns.UNDECIDED.match(said, label.end()):
        return None
    inner = patterns.DECIDING.match(said, label.end())
    content = inner.end() if inner and not inner["whole"] else label.end()
    return Cue(label.start(), content, content, len(said))


def _decided(said: str, speech: Speech) -> Cue | None:
    for start in patterns.SUBJECT.finditer(said):
        match = patterns.DECIDING.match(said, start.start())
        if match is None:
            continue
        before = said[: match.start()]
        after = match.end()
        if _is_hedged(before) and not (speech.reply and patterns.POLITE.fullmatch(before)):
            continue
        if _is_taken_back(said, match):
            continue
        # What an agent says it will do is its next step.
        if match["planned"] and speech.role != "user":
            continue
        content = _topic(said, match.start())
        if content is None:
            content = match.start() if match["whole"] else after
        return Cue(match.start(), content, after, len(said))
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
        or (bool(match["step"]) and patterns.FOR_A_STEP.match(said, after) is not None)
        or (bool(match["whole"]) and patterns.UNDECIDED.match(said, after) is not None)
        or patterns.TAKEN_BACK.search(_clause(said, after)) is not None
        or patterns.LONG_AGO.search(said, 0, after) is not None
    )


def _ordered(said: str) -> Cue | None:
    """A user's order: "go with B", "use RS256"."""
    match = patterns.ORDER.match(said)
    if match is None:
        return None
    start = match.end("from") if match["from"] else match.end("aside")
    if (
        patterns.NO_CHOICE.match(said, start)
        or patterns.FOR_A_STEP.match(said, start)
        or patterns.TAKEN_BACK.search(_clause(said, match.end()))
    ):
        return None
    return Cue(match.end("aside"), start, match.end(), len(said))


def _it_is(said: str) -> Cue | None:
    match = patterns.IT_IS.match(said) if " it is" in said else None
    if match is None or patterns.NOT_A_THING.search(match["thing"]) or len(match["thing"].split()) > 6:
        return None
    thing = match.start("thing")
    return Cue(thing, thing, thing, len(said))


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
