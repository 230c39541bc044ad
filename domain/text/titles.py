"""Titles for sessions that were given none: the first sentence of what the user asked for, as plain words."""

import re

from backstory.domain.text.markdown import outside_code
from backstory.domain.text.sentences import line_sentences

LONGEST = 60
"""Characters of a derived title, the ellipsis included."""

_FENCE = re.compile(r"(?:```|~~~)[\w+.-]*")
_HTML = re.compile(r"<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>\n]{0,200}>", re.DOTALL)
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,300}\])")
_ADDRESS = re.compile(r"<?\b(?:https?|ftp|file|ssh|git)://\S+|\bwww\.\S+", re.IGNORECASE)
_LINE_MARK = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)+", re.MULTILINE
)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|~~|\*)(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
# In prose about code, `__init__` is a name; what has a blank in it is no name.
_UNDERLINED = re.compile(r"(?<!\w)(__?)(?=[^\s_])([^_\n]{1,300}? [^_\n]{1,300}?)(?<=\S)\1(?!\w)")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]")
_WORD = re.compile(r"[^\W_]")


def derived_title(text: str) -> str | None:
    """A title from a message, or None when nothing in it can be read. Code, markdown and addresses are left out; a
    message that is nothing but code is called by its first line."""
    for prose in (outside_code(text), text):
        for line in _plain(prose).splitlines():
            sentence = next(iter(line_sentences(" ".join(line.split()))), "")
            if _WORD.search(sentence):
                return shortened(sentence.rstrip(".。:,; "))
    return None


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, or as many whole words of it as fit, with an ellipsis. A word longer than that is cut."""
    if len(text) <= longest:
        return text
    kept = text[:longest]
    blank = kept.rfind(" ")
    return (kept[:blank] if blank > 0 else kept[: longest - 1]).rstrip(" ,;:–—-(") + "…"


def _plain(text: str) -> str:
    text = _INVISIBLE.sub("", _FENCE.sub("\n", text))
    text = _HTML.sub(" ", text)
    text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = _ADDRESS.sub(" ", text)
    text = _LINE_MARK.sub("", _RULE.sub("", text))
    text = _UNDERLINED.sub(r"\2", _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)))
    return text.replace("`", "")
