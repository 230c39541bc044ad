"""Decisions that were only said.

By rules, not by a model: the same text gives the same answer everywhere, and a rule that errs can be read and
mended. A decision is a commitment of whoever speaks: a question, a supposition, a proposal, what somebody else
decided and what stands in quotes or in code is none. To decide against something is to decide.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backstory.domain.decisions.cues import Cue, Speech, decision_cue
from backstory.domain.decisions.rationales import rationale_after, rationale_before, rationale_within
from backstory.domain.text.markdown import READ, own_words, quotations
from backstory.domain.text.sentences import Sentence, sentences
from backstory.domain.text.words import word_set

LONGEST = 300
"""Characters of a statement that are kept, and of its rationale."""
LONGEST_ORDERS = 1500
"""Characters of a message in which a user gives orders. A longer one, or one with headings, is a document that was
pasted or loaded: its imperatives are somebody's advice."""


class StatedDecision(NamedTuple):
    """A decision that was said in passing."""

    text: str
    rationale: str | None
    start: int
    """The place of `text` in the message, where it may be wrapped over lines."""
    end: int


def stated_decisions(text: str, role: str, *, reply: bool = False) -> tuple[StatedDecision, ...]:
    """The decisions stated in a message of a user or an agent, in order. Only the first `READ` characters are read.

    `reply` says that a user answers an agent. Such a message is about the work at hand, so that more words tell: "let's
    do the second one".
    """
    text = text[:READ]
    own = own_words(text)
    return tuple(_stated_decisions(text, own, role, reply))


def decides(text: str, own: str, role: str) -> bool:
    """Whether a text states a decision. `own` are its `own_words`."""
    return any(True for _ in _stated_decisions(text, own, role, reply=False))


def _stated_decisions(text: str, own: str, role: str, reply: bool) -> Iterator[StatedDecision]:
    if role not in ("user", "agent"):
        return
    said = list(sentences(own))
    quoted = quotations(text)
    document = len(own) > LONGEST_ORDERS or any(sentence.kind == "heading" for sentence in said)
    speech = Speech(role, document, reply and role == "user")
    for place, sentence in enumerate(said):
        cue = decision_cue(text, own, sentence, speech)
        if cue is None or any(start < cue.start < end for start, end in quoted):
            continue
        noticed = _stated(text, own, said, place, cue)
        if noticed is not None:
            yield noticed


def _stated(text: str, own: str, said: Sequence[Sentence], place: int, cue: Cue) -> StatedDecision | None:
    """The decision that a cue leads to, with the reason where one is given."""
    sentence = said[place]
    found = rationale_within(own, cue.verb_end, cue.end)
    start, end = _stripped(text, cue.content, cue.end if found is None else found.before)
    end = min(end, start + LONGEST)
    statement = " ".join(text[start:end].split())
    if not any(letter.isalnum() for letter in statement) or _is_fragment(statement):
        return None
    if found is not None:
        span: tuple[int, int] | None = found.span
    else:
        span = rationale_before(own, sentence.start, min(cue.start, cue.content))
        span = span or rationale_after(own, said, place)
    why = None
    if span is not None:
        first, last = _stripped(text, *span)
        why = " ".join(text[first : min(last, first + LONGEST)].split()) or None
    return StatedDecision(statement, why, start, end)


def _is_fragment(statement: str) -> bool:
    """Does the statement end within code or brackets, or with a word that another must follow?"""
    return (
        statement.count("`") % 2 == 1
        or statement.count("(") != statement.count(")")
        or statement.rsplit(" ", 1)[-1].casefold() in _OPEN_ENDS
    )


_OPEN_ENDS = word_set("a an and for have need of or that the to want when with")


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """The same place without blanks, emphasis and closing marks at its ends."""
    while start < end and text[start] in " \t\r\n*_,:;–—-":
        start += 1
    while end > start and text[end - 1] in " \t\r\n*_.,:;!–—(-":
        end -= 1
    if end > start and text[end - 1] == ")" and "(" not in text[start:end]:
        end -= 1
    return start, end
