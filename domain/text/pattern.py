"""Regular expressions that are compiled when they are first used."""

import re
from typing import Any, cast


class _Uncompiled:
    """Stands for a compiled expression until one of its attributes is asked for."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, attribute)
        return attribute


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A compiled expression. Compiling the long ones takes a tenth of a second, which a process that only lists
    sessions should not spend when it imports them."""
    return cast("re.Pattern[str]", _Uncompiled(text, flags))
