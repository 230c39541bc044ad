"""Paths that lead to a server, not to a file, though they are spelled like one: `/.well-known/jwks.json`."""

import re

from backstory.domain.entities.names import NameMatch
from backstory.domain.entities.words import ROOTS

# Only the few characters before and behind a path are looked at, so that the time follows the length of the text.
_LOOKED_BACK, _LOOKED_AHEAD = 80, 32
_HOST = (
    r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]{1,63}\.){1,6}(?:com|org|net|io|dev|ai|app|co|edu|gov|info|cloud"
    r"|local|internal|example|test|localhost|eu|uk|de|fr|nl|ch|at|se|no|jp|cn|in|br|au|ca|us))"
)
_BEGINS_WITH_HOST = re.compile(_HOST + r"/", re.IGNORECASE)
_PORT = re.compile(r"\d{2,5}/")
_AFTER_HOST = re.compile(r"(?<![\w./@-])[\w.-]{1,60}:$")
_IN_CODE = re.compile(
    r"\b(?:get|post|put|patch|delete|route|fetch|mount|request|add_url_rule)\(\s{0,4}f?[\"'`]$", re.IGNORECASE
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
"""HTTP methods. In capitals they look like names of their own."""
_METHOD = re.compile(r"\b(?:" + "|".join(METHODS) + r")\s{1,4}[\"'`]?$")
_BASE = re.compile(
    r"[{$][\w.]{0,40}?(?:url|uri|host|base|issuer|origin|domain|server|api|endpoint)[\w.]{0,40}\}?$",
    re.IGNORECASE,
)
_CALLED_SO = re.compile(
    r"\b(?:endpoints?|routes?|urls?|uris?|curl|(?:requests?|calls?|hits?|polls?) (?:to|for)):? [\"'`(]?$",
    re.IGNORECASE,
)
_SAID_TO_BE = re.compile(
    r"[\"'`]?(?: (?:\w{1,20} )?(?:endpoint|route|url|uri)s?\b|\?[\w%]{1,20}=)", re.IGNORECASE
)


def as_address(text: str, found: NameMatch) -> NameMatch:
    """The match as an address if it leads to a server, else as the file it was found as."""
    start, end, kind, name = found
    if kind != "file" or "/" not in name:
        return found
    before = text[max(0, start - _LOOKED_BACK) : start]
    if _BEGINS_WITH_HOST.match(name):
        return NameMatch(start, end, "url", name)
    if _PORT.match(name) and (host := _AFTER_HOST.search(before)):
        return NameMatch(start - len(host[0]), end, "url", host[0] + name)
    if name.startswith(".well-known/") and before.endswith("/"):
        # A name begins at a letter or a dot, and this one's slash stands before it.
        return NameMatch(start - 1, end, "url", "/" + name)
    if name.startswith("/") and _is_asked_for(text, before, end, name):
        return NameMatch(start, end, "url", name)
    return found


def _is_asked_for(text: str, before: str, end: int, path: str) -> bool:
    if path.startswith(("/.well-known/", "/api/")) or any(
        form.search(before) for form in (_METHOD, _BASE, _IN_CODE)
    ):
        return True
    by_words = _CALLED_SO.search(before) or _SAID_TO_BE.match(text, end, end + _LOOKED_AHEAD)
    return bool(by_words) and not path.startswith(ROOTS)
