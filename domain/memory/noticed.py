"""What is worth remembering in messages: wishes that something be remembered, preferences, facts and lessons.

By rules, not by a model, and rather few than many: a memory that says nothing stands in the way of one that does. What
tools answered is not read at all, nor what was pasted. A rule that may err makes a candidate.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backstory.domain.decisions.memory_requests import asks_to_remember
from backstory.domain.decisions.statements import stated_decisions
from backstory.domain.memory import noticed_patterns as patterns
from backstory.domain.memory.values import MemoryKind
from backstory.domain.summaries.lines import content_words, is_nonsense
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.summaries.speech import is_by_agent, is_by_hand, without_pasted
from backstory.domain.text.markdown import READ, own_words, quotations
from backstory.domain.text.sentences import Sentence, sentences

RULES = "rules/1"
"""The name and version of these rules, as the memories that they make record it."""
LONGEST = 300
"""Characters of a sentence that is kept. A longer one is a document."""
_ENOUGH = 3
"""Words that tell, for a sentence to say something by itself."""
_ENOUGH_DECIDED = 2
"""The same, for what is decided: "use RS256 tokens"."""
_LONGEST_LESSONS = 8
"""Entries of a list of lessons that are read."""


class Noticed(NamedTuple):
    """Something in messages that may be worth remembering."""

    kind: MemoryKind
    text: str
    items: tuple[int, ...]
    """The messages."""
    sure: bool
    """Whether it becomes a memory at once, and no candidate."""
    rationale: str | None = None


def noticed(messages: Sequence[SourceMessage]) -> list[Noticed]:
    """What the rules find in messages, in their order, each text once, with all messages that say it. A user's messages
    are read where they were typed by hand; an agent's for lessons."""
    found: dict[str, Noticed] = {}
    before: SourceMessage | None = None
    for message in messages:
        reply = before is not None and is_by_agent(before)
        for one in _in_message(message, reply):
            same = " ".join(one.text.casefold().split())
            known = found.get(same, one)
            items = tuple(dict.fromkeys((*known.items, *one.items)))
            found[same] = known._replace(items=items, sure=known.sure or one.sure)
        before = message
    return list(found.values())


def _in_message(message: SourceMessage, reply: bool) -> Iterator[Noticed]:
    text = message.text[:READ]
    if message.role == "user":
        if is_by_hand(text):
            yield from _of_user(without_pasted(text), message.item, reply)
    elif is_by_agent(message):
        yield from _of_agent(text, message.item)


def _of_user(text: str, item: int, reply: bool) -> Iterator[Noticed]:
    decided = [(one.start, one.end) for one in stated_decisions(text, "user", reply=reply)]
    for said, own, sentence in _own_sentences(text):
        if patterns.TOLD.match(own) and _tells(said, own):
            yield Noticed("knowledge", said, (item,), sure=True)
        elif asks_to_remember(said):
            if wish := _wished(said, own):
                yield wish._replace(items=(item,))
        elif patterns.PREFERS.match(own) or patterns.RULES.match(own):
            if _tells(said, own):
                sure = patterns.UNSURE.search(own) is None
                yield Noticed("preference", said, (item,), sure=sure)
        else:
            continue
        decided = [place for place in decided if not sentence.start <= place[0] < sentence.end]
    for one in stated_decisions(text, "user", reply=reply):
        if (one.start, one.end) in decided and _tells(one.text, one.text.lower(), _ENOUGH_DECIDED):
            yield Noticed("decision", one.text, (item,), sure=False, rationale=one.rationale)


def _wished(said: str, own: str) -> Noticed | None:
    """What is wished to be remembered, without the words that wish it. None where it lies in another sentence."""
    lead = patterns.REMEMBER_THAT.match(own)
    kept = said[lead.end() :] if lead is not None else said
    kept = kept[:1].upper() + kept[1:]
    if not _tells(kept, kept.lower()):
        return None
    rule = patterns.PREFERS.match(kept.lower()) or patterns.RULES.match(kept.lower())
    # "Remember to run the tests" may be meant for now alone.
    sure = lead is not None and (rule is not None or lead["to"] is None)
    return Noticed("preference" if rule else "note", kept, (), sure=sure)


def _of_agent(text: str, item: int) -> Iterator[Noticed]:
    listed = 0
    for said, own, sentence in _own_sentences(text):
        if patterns.LESSONS_FOLLOW.match(own):
            listed = _LONGEST_LESSONS
            continue
        label = patterns.LESSON.match(own)
        if label is not None:
            lesson = said[label.end() :].lstrip("*_ ")
            if _tells(lesson, lesson.lower()):
                yield Noticed("lesson", lesson[:1].upper() + lesson[1:], (item,), sure=True)
        elif listed and sentence.kind == "entry":
            listed -= 1
            if _tells(said, own):
                yield Noticed("lesson", said, (item,), sure=True)
        elif patterns.CAUSE.match(own) and _tells(said, own):
            yield Noticed("lesson", said, (item,), sure=False)
        if sentence.kind != "entry":
            listed = 0


def _own_sentences(text: str) -> Iterator[tuple[str, str, Sentence]]:
    """The sentences of a text that are its author's own, as they stand and in lower case."""
    own = own_words(text)
    quoted = quotations(text)
    for sentence in sentences(own):
        if any(start <= sentence.start < end for start, end in quoted):
            continue
        said = " ".join(text[sentence.start : sentence.end].replace("**", "").split())
        yield said, " ".join(own[sentence.start : sentence.end].replace("**", "").split()), sentence


def _tells(said: str, own: str, least: int = _ENOUGH) -> bool:
    """Whether a sentence says something by itself, outside of its conversation."""
    return (
        len(said) <= LONGEST
        and not said.endswith(("?", ":", "…"))
        and len(content_words(said)) >= least
        and not is_nonsense(said)
        and said.count("`") % 2 == 0
        and patterns.LEANS.search(own) is None
    )
