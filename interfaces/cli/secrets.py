"""Taking passwords out of what is printed."""

import os
import re
from urllib.parse import unquote, urlsplit

_IN_ADDRESS = re.compile(r"(://[^\s:@/]*):[^\s]*@")
_IN_PARAMETERS = re.compile(r"(password\s*=\s*)('[^']*'|[^\s&]+)", re.IGNORECASE)


def without_secrets(text: str, url: str | None = None) -> str:
    """The text without the passwords of database addresses: this one, the environment's, any it quotes."""
    for address in (url, os.environ.get("BACKSTORY_DATABASE_URL")):
        for secret in _passwords(address):
            text = text.replace(secret, "***")
    return _IN_PARAMETERS.sub(r"\1***", _IN_ADDRESS.sub(r"\1:***@", text))


def _passwords(address: str | None) -> set[str]:
    if not address:
        return set()
    try:
        found = urlsplit(address).password
    except ValueError:
        return {address}
    # Very short ones would blank out half of any sentence, and are no secrets.
    return {secret for secret in (found, unquote(found)) if len(secret) > 3} if found else set()
