"""The callers of requests: by a key, by the page's cookie, or without either where there are no keys."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection

from backstory.application.store import ContextStore
from backstory.domain.access import OWNER, Caller
from backstory.domain.errors import AccessDenied, KeyRequired
from backstory.interfaces.http.serving.cookies import COOKIE, TOKEN, PageSessions
from backstory.interfaces.http.serving.hosts import require_own_page
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.rates import Rates

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Callers:
    """Tells who asks, and counts how often."""

    def __init__(self, store: ContextStore, options: ServiceOptions) -> None:
        self._store = store
        self._options = options
        self.sessions = PageSessions(options.cookie_secret)
        self._rates = Rates(options.rate)
        self._failures = Rates(options.rate and 1.0)

    def of(self, connection: HTTPConnection) -> Caller:
        """The caller of a request or a WebSocket. Raises AccessDenied or KeyRequired where it has no right to ask, and
        TooManyRequests where it asks too often."""
        secret = _bearer(connection)
        if secret is None and COOKIE not in connection.cookies:
            return self._owner(connection)
        try:
            caller = self.by_key(secret) if secret is not None else self._by_cookie(connection)
        except KeyRequired:
            self._failures.count(address_of(connection) or "")
            raise
        self._rates.count(caller.name or "")
        return caller

    def by_key(self, secret: str) -> Caller:
        """The caller that a key stands for."""
        return self._store.keys.caller(secret)

    def _by_cookie(self, connection: HTTPConnection) -> Caller:
        require_own_page(connection, {connection.url.hostname or ""}, self._options.origins)
        prefix = self.sessions.prefix(connection.cookies[COOKIE])
        if prefix is None:
            return self._owner(connection)
        # A browser sends no header of ours with the request that opens a WebSocket; its Origin was checked.
        method = connection.scope.get("method", "GET")
        if method not in SAFE_METHODS and not self.sessions.has_token(connection):
            raise AccessDenied(f"a write of the page needs the header {TOKEN}.")
        return self._store.keys.caller_of_prefix(prefix)

    def _owner(self, connection: HTTPConnection) -> Caller:
        """Whoever can reach a service without keys owns it."""
        if self._options.keys_required or self._store.keys.exist():
            raise KeyRequired("this needs a key: Authorization: Bearer bsk_…")
        require_own_page(connection, self._options.hosts, self._options.origins)
        return OWNER


def caller_of(connection: HTTPConnection) -> Caller:
    """The caller of a request to a service."""
    callers: Callers = connection.app.state.callers
    return callers.of(connection)


def address_of(connection: Mapping[str, Any]) -> str | None:
    """The address that a request came from."""
    client = connection.get("client")
    return client[0] if client else None


def _bearer(connection: HTTPConnection) -> str | None:
    """The key in a request's Authorization header."""
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" and secret.strip() else None
