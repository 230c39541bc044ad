"""Recorded texts as an agent reads them: labelled, and cut at a length that can be read on from."""

from backstory.application.evaluation.recording import words_of
from backstory.application.session import Session
from backstory.domain.errors import InvalidInput, UnknownItem
from backstory.domain.messages.contents import Part

LONGEST = 20_000
"""Characters of one answer."""
ERASED = "(erased)"


def expanded_text(session: Session, item: int, *, record: bool) -> str:
    """The items that a summary replaced, or any other item whole."""
    try:
        shown = session.window.expand(item, record=record)
    except UnknownItem:
        text = "\n".join(map(_part_text, session.items.parts(item)))
        if record:
            session.items.touch(item, reason="expanded")
        return text
    return "\n\n".join(
        f"[{' '.join(filter(None, (f'item {one.id}', one.type, one.role)))}]\n"
        + (words_of(one.messages) if one.messages else ERASED)
        for one in shown
    )


def cut(text: str, start: int = 0) -> str:
    """The text from a character on, at most LONGEST of it, and where to read on."""
    if start > len(text):
        raise InvalidInput("start", f"must be at most {len(text)}, the length of the text, got {start}")
    end = start + LONGEST
    if end >= len(text):
        return text[start:]
    return f"{text[start:end]}\n[{len(text) - end} of {len(text)} characters left; read on with start={end}]"


def _part_text(part: Part) -> str:
    if not part.media_type.startswith(("text/", "application/json")):
        return f"({part.media_type}, {len(part.data)} bytes)"
    said = part.data.decode(errors="replace")
    return f"{part.name}({said})" if part.kind == "tool_use" else said
