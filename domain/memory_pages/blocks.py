"""One memory as a block of Markdown text: written so that it can be read back."""

import hashlib
import re
from typing import NamedTuple

_COMMENT = re.compile(r"<(\\*)!--")
_ESCAPED_COMMENT = re.compile(r"<\\(\\*)!--")
_BOLD = re.compile(r"\\*\*\*")
_TITLE = re.compile(r"\*\*((?:[^*\\\n]|\\.)+)\*\*:\s*(?=\S)")
_SPECIAL = re.compile(r"[\\*]")
_DIGITS = 16


class Said(NamedTuple):
    """The words of one memory."""

    title: str | None
    text: str


def block_of(said: Said) -> str:
    """The words as Markdown: a title in bold before the text. What would be read as a mark is escaped."""
    text = _plain_lines(said.text)
    if said.title is not None:
        title = _SPECIAL.sub(r"\\\g<0>", " ".join(said.title.split()))
        text = f"**{title}**: {text}"
    elif _BOLD.match(text):
        text = "\\" + text
    return settled(_COMMENT.sub(r"<\\\1!--", text))


def words_of(block: str) -> Said:
    """The words that a block stands for."""
    text = _ESCAPED_COMMENT.sub(r"<\1!--", block)
    if found := _TITLE.match(text):
        title = re.sub(r"\\(.)", r"\1", found.group(1)).strip()
        if title:
            return Said(title, text[found.end() :].strip())
    if _BOLD.match(text) and text.startswith("\\"):
        text = text[1:]
    return Said(None, text.strip())


def settled(block: str) -> str:
    """A block without what editors change by themselves: blanks at the ends of lines, and empty lines around it."""
    return "\n".join(line.rstrip() for line in block.split("\n")).strip("\n").strip(" \t")


def digest_of(section: str, block: str) -> str:
    """A short digest of a block in its section, to tell whether somebody changed it."""
    return hashlib.sha256(f"{section}\n{block}".encode(errors="replace")).hexdigest()[:_DIGITS]


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
