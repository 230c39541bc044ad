"""Text that cannot steer the terminal it is printed on."""

import re

UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, terminal escapes, and changes of the writing direction."""


def printable(text: str) -> str:
    """The text with every control character written as an escape, such as `\\x1b`. Line breaks stay."""
    return UNPRINTABLE.sub(_escaped, text.replace("\r\n", "\n").expandtabs(4))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
