"""Sessions of the page: a signed cookie in place of the key, and a token against forged requests.

The cookie names the key by its prefix, so revoking the key ends them, and holds no secret. A browser sends it with
every request, also those that another page makes it send. Therefore it is same-site, and what writes must besides have
the token in a header, which only the service's own page can read."""

import hashlib
import hmac
import time

from pydantic import SecretStr
from starlette.requests import HTTPConnection

COOKIE = "backstory_session"
TOKEN = "X-CSRF-Token"
LIFETIME = 12 * 3600
"""Seconds that one login lasts."""


class PageSessions:
    """Signs the cookies of the page, and reads them."""

    def __init__(self, secret: SecretStr) -> None:
        self._secret = secret.get_secret_value().encode()

    def cookie(self, prefix: str) -> str:
        """A cookie that stands for a key from now on."""
        said = f"{prefix}.{int(time.time()) + LIFETIME}"
        return f"{said}.{self._signed('cookie', said)}"

    def prefix(self, cookie: str) -> str | None:
        """The prefix of the key that a cookie stands for; None for a cookie that is forged or over."""
        said, _, signature = cookie.rpartition(".")
        prefix, _, until = said.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signed("cookie", said).encode()):
            return None
        return prefix if int(until) > time.time() else None

    def token(self, cookie: str) -> str:
        """The token that writes with this cookie must have."""
        return self._signed("token", cookie)

    def has_token(self, connection: HTTPConnection) -> bool:
        """Whether a request has the token of its cookie."""
        given = connection.headers.get(TOKEN, "")
        return hmac.compare_digest(given.encode(), self.token(connection.cookies[COOKIE]).encode())

    def _signed(self, purpose: str, said: str) -> str:
        return hmac.new(self._secret, f"{purpose}:{said}".encode(), hashlib.sha256).hexdigest()
