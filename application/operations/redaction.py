"""Removes passwords and keys from text that is printed, logged or stored."""

import os
import re
from urllib.parse import unquote, urlsplit

from backstory.domain.errors import BackstoryError
from backstory.domain.safety import secrets

_IN_ADDRESS = re.compile(r"(://[^\s:@/]*):[^\s]*@")
_IN_PARAMETERS = re.compile(r"(password\s*=\s*)('[^']*'|[^\s&]+)", re.IGNORECASE)
_ADDRESSES = ("BACKSTORY_DATABASE_URL", "BACKSTORY_READ_URL", "BACKSTORY_SUMMARIZER_URL")
_SECRETS = ("BACKSTORY_SUMMARIZER_API_KEY", "BACKSTORY_COOKIE_SECRET", "PGPASSWORD")
LONGEST_REASON = 500
"""Characters of a reason that are kept."""


def without_secrets(text: str, url: str | None = None) -> str:
    """The text without secrets: passwords of this address, of those in the environment and of any address in the
    text, and the keys in the environment."""
    for address in (url, *map(os.environ.get, _ADDRESSES)):
        for secret in _passwords(address):
            text = text.replace(secret, "***")
    for key in map(os.environ.get, _SECRETS):
        if key and len(key) > 3:
            text = text.replace(key, "***")
    return secrets.without_secrets(_IN_PARAMETERS.sub(r"\1***", _IN_ADDRESS.sub(r"\1:***@", text)))


def reason_of(error: BaseException, url: str | None = None) -> str:
    """The reason of an error in one line, without secrets and without values of rows. The server's details and hints
    quote stored values; its primary message does not."""
    import psycopg  # Here, so that a command line that fails early does not load it.

    if isinstance(error, psycopg.Error):
        said = error.diag.message_primary or "the driver gave no reason that can be shown"
    else:
        said = str(error)
    name = error.code if isinstance(error, BackstoryError) else type(error).__name__
    line = " ".join(without_secrets(f"{name}: {said}", url).split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def _passwords(address: str | None) -> set[str]:
    if not address:
        return set()
    try:
        password = urlsplit(address).password
    except ValueError:
        return {address}
    # Very short ones would blank out half of any sentence, and are no secrets.
    return {secret for secret in (password, unquote(password)) if len(secret) > 3} if password else set()
