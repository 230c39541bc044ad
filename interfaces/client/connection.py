"""Requests to a service, repeated where that is safe."""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from backstory.application import __version__
from backstory.domain.errors import (
    BackstoryError,
    InvalidInput,
    OutcomeUnknown,
    SchemaMismatch,
    ServerUnavailable,
    StorageFull,
)
from backstory.interfaces.client.listening import LiveListener
from backstory.interfaces.client.problems import error_of

PREFIX = "/api/v1"
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
BUSY = (429, 503)
_READS = ("GET", "HEAD")


class Answer(NamedTuple):
    """What a service answered."""

    document: Any
    headers: Mapping[str, str]


class Connection:
    """A service, and the connections to it. Any number of threads may use it."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience: float,
        timeout: float,
        pool_size: int,
        verify: Any = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        # Shown in errors, where no password may stand.
        self.url = _address(url)
        self.patience = patience
        self.closed = False
        self.listener = LiveListener(self)
        headers = {"User-Agent": f"backstory/{__version__}"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        self._http = httpx.Client(
            base_url=url.rstrip("/") + PREFIX,
            headers=headers,
            timeout=httpx.Timeout(timeout, connect=min(timeout, 10.0)),
            limits=httpx.Limits(max_connections=pool_size, max_keepalive_connections=pool_size),
            verify=verify,
            transport=transport,
        )

    def close(self) -> None:
        """Closes all connections."""
        self.closed = True
        self.listener.close()
        self._http.close()

    def greet(self) -> None:
        """Makes sure that a service answers, and takes the key. A service that cannot be reached is not waited for."""
        patience, self.patience = self.patience, 0.0
        try:
            self.ask("GET", "/sessions", query={"limit": "1"})
        finally:
            self.patience = patience

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content: bytes | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Makes a request. What only reads and what has an idempotency key is repeated after a lost connection and
        while the service is busy or away, for as long as the connection's patience; other writes only where they
        cannot have been made."""
        sent = dict(headers or {})
        once = method not in _READS and "Idempotency-Key" not in sent
        until = time.monotonic() + self.patience
        pause = FIRST_PAUSE
        while True:
            error, may_repeat, wait = self._attempt(method, path, query, body, content, sent, once)
            if not isinstance(error, BackstoryError):
                return error
            wait = max(wait, pause * random.uniform(0.5, 1.0))
            if not may_repeat or self.closed or time.monotonic() + wait > until:
                raise error
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _attempt(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Any,
        content: bytes | Iterator[bytes] | None,
        headers: Mapping[str, str],
        once: bool,
    ) -> tuple[Answer | BackstoryError, bool, float]:
        """The answer, or the error, whether the request may be repeated, and the seconds to wait before."""
        # A stream that was begun cannot be sent again.
        streamed = content is not None and not isinstance(content, bytes)
        try:
            response = self._http.request(
                method, path, params=query, json=body, content=content, headers=headers
            )
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            return self._away(error), True, 0.0
        except httpx.TransportError as error:
            if once:
                return self._unknown(error), False, 0.0
            away = self._away(error) if method in _READS else self._unknown(error)
            return away, not streamed, 0.0
        except RuntimeError:
            if not self.closed:
                raise
            return ServerUnavailable("the store was closed."), False, 0.0
        if response.is_success:
            return Answer(_document(response), response.headers), False, 0.0
        problem = error_of(_document(response), response.status_code)
        lasting = isinstance(problem, StorageFull | SchemaMismatch)
        unknown = isinstance(problem, OutcomeUnknown) and once
        busy = response.status_code in BUSY and not (streamed or lasting or unknown)
        return problem, busy, _retry_after(response)

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Iterator[httpx.Response]:
        """An answer that is read as it comes. It is not repeated: the reader knows where to continue."""
        limit = httpx.Timeout(timeout, connect=10.0) if timeout is not None else httpx.USE_CLIENT_DEFAULT
        try:
            with self._http.stream(
                method, path, params=query, json=body, headers=headers, timeout=limit
            ) as response:
                if not response.is_success:
                    response.read()
                    raise error_of(_document(response), response.status_code)
                yield response
        except httpx.TransportError as error:
            raise self._away(error) from None

    def _away(self, error: Exception) -> ServerUnavailable:
        return ServerUnavailable(f"the service at {self.url} does not answer: {_reason(error)}.")

    def _unknown(self, error: Exception) -> OutcomeUnknown:
        return OutcomeUnknown(
            f"the connection to the service at {self.url} was lost, so it is not known whether this was written: "
            f"{_reason(error)}."
        )


def _address(url: str) -> str:
    try:
        given = httpx.URL(url)
    except (TypeError, httpx.InvalidURL):
        raise InvalidInput("url", "must be the address of a service, such as http://127.0.0.1:8765") from None
    if given.scheme not in ("http", "https") or not given.host:
        raise InvalidInput("url", "must be the address of a service, such as http://127.0.0.1:8765")
    return str(given.copy_with(username=None, password=None, query=None, fragment=None)).rstrip("/")


def _document(response: httpx.Response) -> Any:
    """The JSON of an answer; None for one that has none, as a proxy's page."""
    if "json" not in response.headers.get("Content-Type", ""):
        return None
    try:
        return response.json()
    except ValueError:
        return None


def _retry_after(response: httpx.Response) -> float:
    told = response.headers.get("Retry-After", "")
    return float(told) if told.isdecimal() else 0.0


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".").lower() or type(error).__name__
