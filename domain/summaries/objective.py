"""The objective of a session, where nobody set a goal: the first request of a user."""

from collections.abc import Iterable, Sequence

from backstory.domain.summaries.cues import asks, failed, is_filler, is_wish, lead_length, refers_back
from backstory.domain.summaries.lines import (
    CUT,
    LONGEST_SENTENCE,
    content_words,
    cut,
    cut_at_a_clause,
    is_nonsense,
    is_prose,
    prose_lines,
    share_most_words,
)
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.summaries.speech import (
    ENOUGH,
    ends,
    is_a_document,
    is_a_talk,
    is_by_a_person,
    requests,
    without_pasted,
)
from backstory.domain.text.sentences import line_sentences
from backstory.domain.text.words import words

_AT_ONCE = 2
"""Messages after one in which its correction would be: a note that it was interrupted may stand between."""


def opening(messages: Iterable[SourceMessage]) -> str:
    """The first request of a user: what it is about, and what is asked for, where sentences lie between.

    Where nobody asks, the first line that says enough; of a talk between people, nothing.
    """
    messages = tuple(messages)
    if is_a_talk(messages):
        return ""
    first = ""
    of_users = _final([message.text for message in messages if message.role == "user"])
    for text in sorted(of_users, key=_least_for_an_objective):
        document = is_a_document(text)
        if document and not _begins_with_an_order(text):
            continue
        about, asked = _told_and_asked(text)
        if about and asked:
            if document or requests(about) or failed(about):
                return about
            return f"{about} {CUT} {asked}"
        first = first or about
    return first or _subject_of_a_document(next(iter(of_users), ""))


def _final(texts: Sequence[str]) -> list[str]:
    """The messages without those that were sent again at once, in words that hardly differ, to correct them."""
    about = [content_words(text[:LONGEST_SENTENCE]) for text in texts]
    return [
        text
        for place, text in enumerate(texts)
        if not any(share_most_words(about[place], other) for other in about[place + 1 : place + 1 + _AT_ONCE])
    ]


def _told_and_asked(text: str) -> tuple[str, str]:
    """The first sentence of a message that says enough by itself, and the first that asks for something or reports that
    something fails."""
    about = asked = ""
    for line in prose_lines(without_pasted(ends(text))):
        told = [sentence for sentence in line_sentences(line) if not is_filler(sentence) or asks(sentence)]
        # A line with a colon announces another that says more: "Consider the following issue:".
        if not told or told[0].endswith(":") or line.startswith(("<", "[")) or is_nonsense(cut(line)):
            continue
        telling = next((place for place, sentence in enumerate(told) if _says_enough(sentence)), None)
        if telling is None:
            continue
        about = about or cut_at_a_clause(_without_lead(told[telling]), LONGEST_SENTENCE)
        wishes = (sentence for sentence in told[telling:] if requests(sentence) or failed(sentence))
        asked = asked or next(wishes, "")
    return about, cut_at_a_clause(asked, LONGEST_SENTENCE)


def _says_enough(sentence: str) -> bool:
    """Whether it says what something is about: "do 1, 2 and 5" does not, nor a path or an address alone."""
    kept = _without_lead(sentence)
    if sum(not word.isdigit() for word in content_words(kept)) < ENOUGH or refers_back(kept):
        return False
    if kept.endswith(":"):
        return False
    return not (kept.isascii() and " " not in kept) and (requests(kept) or is_prose(kept))


def _without_lead(sentence: str) -> str:
    return sentence[lead_length(sentence) :]


def _least_for_an_objective(text: str) -> tuple[bool, bool]:
    """Last what a program wrote, before that what asks on. A document that begins with an order is the plan."""
    return not is_by_a_person(text), _asks_on(text)


def _subject_of_a_document(text: str) -> str:
    """The line after one that announces it with a colon."""
    announced = False
    for line in prose_lines(ends(text)):
        if line.endswith(":"):
            announced = True
        elif announced and len(content_words(line)) >= ENOUGH and not line.startswith(("<", "[")):
            return cut_at_a_clause(line_sentences(line)[0].replace("**", ""), LONGEST_SENTENCE)
    return ""


def _asks_on(text: str) -> bool:
    """Whether a message continues a talk: "hmm, what if …"."""
    first = next(prose_lines(text[:LONGEST_SENTENCE]), "")
    return lead_length(first) > 0 or first[:7].lower() == "what if"


def _begins_with_an_order(text: str) -> bool:
    first = next(prose_lines(ends(text)), "")
    return is_by_a_person(text) and is_wish(words(first)) and first.endswith((":", "."))
