"""Who wrote a message and how: a person or a program, by hand or pasted, in a talk or as a document."""

from collections.abc import Sequence

from backstory.domain.summaries.cues import asks, is_wish
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.text.markdown import outside_code
from backstory.domain.text.words import words

ENOUGH = 3
"""Words that tell, for a sentence to say something by itself."""
_READ_FIRST, _READ_LAST = 20_000, 4_000
_LONGEST_SAID = 1500
"""Characters of a message that somebody wrote by hand. A longer one, or one with headings, is a document or a log."""
_MOST_WORDS_SAID = 250
_PASTED = (">", "   ", "\t", "---", "===", "$ ")


def is_a_talk(messages: Sequence[SourceMessage]) -> bool:
    """Whether several people talk among themselves, without an agent."""
    speakers = {message.agent for message in messages if message.role == "user"}
    return len(speakers) > 1 and not any(is_by_agent(message) for message in messages)


def is_a_document(text: str) -> bool:
    """Whether a text, without its code, is long or has headings: nobody wrote it for this talk."""
    own = outside_code(text)
    return "\n#" in f"\n{own}" or (len(own) > _LONGEST_SAID and len(own.split()) > _MOST_WORDS_SAID)


def is_by_hand(text: str) -> bool:
    """Whether somebody wrote it for this talk."""
    return not is_a_document(text) and is_by_a_person(text)


def is_by_a_person(text: str) -> bool:
    """Whether it does not begin with a tag or a note in brackets, as what a program wrote does."""
    return text.lstrip()[:1] not in ("<", "[")


def without_pasted(text: str) -> str:
    """The text without the lines that are quoted or stand indented, as those of a terminal do."""
    lines = text.splitlines()
    return "\n".join(line for line in lines if not line.startswith(_PASTED))


def is_by_agent(message: SourceMessage) -> bool:
    """Whether an agent wrote it."""
    return message.role in ("agent", "assistant")


def ends(text: str) -> str:
    """The text; of a very long one, mostly a tool's output, the beginning and the end."""
    if len(text) <= _READ_FIRST + _READ_LAST:
        return text
    return text[:_READ_FIRST] + "\n" + text[-_READ_LAST:]


def requests(text: str) -> bool:
    """Whether a sentence asks for something to be done or said."""
    return asks(text) or is_wish(words(text)) or text.endswith("?")
