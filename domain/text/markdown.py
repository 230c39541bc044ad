"""Code fences and quotations in a message, so that its own words can be told from them.

Every function keeps places: a character of the result stands where it stood in the text. Each looks at a character a
bounded number of times, so the time grows with the length of the text, whatever the text is.
"""

import re
from collections.abc import Iterator

READ = 20_000
"""Characters of a text that are read. A longer text is a log or a file rather than something said."""

_FENCES = ("```", "~~~")
_QUOTED = re.compile(r'"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»')


def own_words(text: str) -> str:
    """The text in lower case, with code fences and quoted lines blanked. As long as the text."""
    lowered = text.lower().replace("’", "'")
    if len(lowered) != len(text):  # a few letters have a longer lower case
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
        lowered = lowered.replace("’", "'")
    return "".join(_blanked(line) if fenced or _is_quoted(line) else line for line, fenced in _lines(lowered))


def outside_code(text: str) -> str:
    """The text with code fences blanked. As long as the text."""
    return "".join(_blanked(line) if fenced else line for line, fenced in _lines(text))


def inside_code(text: str) -> str:
    """The text with all but code fences blanked. As long as the text."""
    return "".join(line if fenced else _blanked(line) for line, fenced in _lines(text))


def quotations(text: str) -> list[tuple[int, int]]:
    """The places of what stands in double quotes, within one line each."""
    return [match.span() for match in _QUOTED.finditer(text)]


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Each line with its end, and whether it belongs to a code fence. A fence that is never closed runs to the end."""
    fence = None
    for line in text.splitlines(keepends=True):
        bare = line.lstrip(" \t")
        if fence is not None:
            yield line, True
            fence = None if bare.startswith(fence) else fence
        elif bare.startswith(_FENCES):
            yield line, True
            # A fence that is opened and closed on one line is inline code.
            closed = len(bare.rstrip()) > 3 and bare.rstrip().endswith(bare[:3])
            fence = None if closed else bare[:3]
        else:
            yield line, False


def _is_quoted(line: str) -> bool:
    return line.lstrip(" \t").startswith(">")


def _blanked(line: str) -> str:
    bare = line.rstrip("\r\n")
    return " " * len(bare) + line[len(bare) :]
