"""The kind of thing that one word names, by its form: a technology, an error, a file, a function, a class."""

import re
from functools import lru_cache

from backstory.domain.entities.lexicon import technology
from backstory.domain.entities.words import (
    ERRNO,
    FILE_ENDINGS,
    FILE_NAMES,
    OTHER_ERRORS,
    ROOTS,
    SHAKY_ENDINGS,
    SIGNALS,
)

ERROR = re.compile(
    r"(?:[A-Za-z_]\w{0,40}\.){0,6}([A-Z][A-Za-z0-9]{1,60}(?:Error|Exception|Warning|Fault|Panic|Violation))"
)
_CODE = re.compile(r"ERR_[A-Z_]{2,40}|TS\d{4}|E0\d{3}|ORA-\d{5}|CVE-\d{4}-\d{4,7}")
SNAKE = re.compile(r"_{0,2}[a-z][a-z0-9]{0,40}(?:_{1,2}[a-z0-9]{1,40}){1,10}_{0,2}|__[a-z]{2,30}__")
CAMEL = re.compile(r"[a-z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{0,30}){1,8}")
PASCAL = re.compile(
    r"[A-Z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{0,30}){1,8}|[A-Z]{2,10}[a-z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{0,30}){0,8}"
)
_FILE = re.compile(
    r"(?:~/|\.{1,2}[/\\]|/)?(?:[\w.+@-]{1,80}[/\\]){0,20}[\w.+-]{1,120}\.([A-Za-z][A-Za-z0-9]{0,9})"
)
_FOLDER = re.compile(r"(?:~/|\.{1,2}/|/)?[A-Za-z_.][\w.+-]{0,80}/(?:[\w.+-]{1,80}/){0,20}")
_UNDER_ROOT = re.compile(r"(?:~/|\.{1,2}/|/)(?:[\w.+-]{1,80}/){0,20}[\w.+-]{0,80}")


@lru_cache(maxsize=4096)
def named(word: str, begins_sentence: bool) -> tuple[str, str] | None:
    """The kind and the name of one word, by its form."""
    known = technology(word, begins_sentence)
    if known is not None:
        return "technology", known
    error = ERROR.fullmatch(word)
    if error:
        return "error", error[1]
    if word in ERRNO or word in SIGNALS or word in OTHER_ERRORS or _CODE.fullmatch(word):
        return "error", word
    if _is_file(word):
        return "file", word
    if SNAKE.fullmatch(word) or CAMEL.fullmatch(word):
        return "function", word
    if PASCAL.fullmatch(word) and not (word.endswith("s") and word[:-1].isupper()):
        return "class", word
    return None


def _is_file(word: str) -> bool:
    folder, _, last = word.replace("\\", "/").rpartition("/")
    if last in FILE_NAMES or (last.split(".", 1)[0] in ("Dockerfile", "Makefile") and last):
        return True
    match = _FILE.fullmatch(word)
    if match and match[1].lower() in FILE_ENDINGS:
        return bool(folder) or match[1].lower() not in SHAKY_ENDINGS or last in FILE_NAMES
    if word.startswith(ROOTS) and len(word) > 3 and _UNDER_ROOT.fullmatch(word):
        return True
    return (
        word.count("/") > 0 and word.endswith("/") and len(word) > 3 and _FOLDER.fullmatch(word) is not None
    )
