"""Asking an OpenAI-compatible endpoint, with an end to everything: to time, to attempts, to bytes.

What goes wrong is told in sentences of our own. They never hold the key, the address or what the endpoint sent, so that
they may stand in an event and in a log.
"""

import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Timer
from typing import Any, ClassVar, NamedTuple, TypeVar

import httpx

from backstory.domain.errors import InvalidInput

LONGEST_WAIT = 30.0
"""Seconds. An endpoint that asks for a longer pause is not waited for."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0
_CHUNK = 1 << 16

_Answer = TypeVar("_Answer")


class EndpointFailed(Exception):
    """There is no answer and asking again will not help: one sentence, safe to show and to log."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class TryAgain(Exception):
    """There is no answer this time."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


class Reply(NamedTuple):
    status: int
    headers: httpx.Headers
    body: bytes


class Endpoint:
    """One model behind one address. Threads may share it."""

    path: ClassVar[str]
    """Below the base address."""
    most_bytes: ClassVar[int]
    """Of an answer."""
    refused: ClassVar[type[Exception]]
    """Raised for an answer that cannot be read as one."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        attempts: int = 3,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        url, user, password = _parted(base_url, self.path)
        if (user or password) and api_key is not None:
            raise InvalidInput("api_key", "must not be given beside credentials in the address")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable() and api_key.strip()):
            raise InvalidInput("api_key", "must be printable ASCII and not empty")
        self.model = model
        self.timeout = timeout
        self.attempts = attempts
        self._url = url
        # Not left in the address, because httpx writes that into its log.
        self._auth = httpx.BasicAuth(user, password) if user or password else None
        self._headers = {"accept": "application/json", "accept-encoding": "identity"}
        self._headers["content-type"] = "application/json"
        if api_key is not None:
            self._headers["authorization"] = f"Bearer {api_key}"
        self._credentials = [secret for secret in (api_key, password) if secret]
        self._sleep = sleep

    def deadline(self) -> float:
        """The monotonic time by which a request that starts now must have ended."""
        return time.monotonic() + self.timeout * self.attempts

    def _until_answered(self, ask: Callable[[httpx.Client], _Answer], deadline: float) -> _Answer:
        """What `ask` returns, called again as often as is allowed while it raises TryAgain."""
        with self._client() as client:
            for attempt in range(1, self.attempts + 1):
                try:
                    return ask(client)
                except TryAgain as failure:
                    tries = f"{attempt} attempts" if attempt > 1 else "1 attempt"
                    reason = f"{failure.reason} ({tries})."
                    wait = max(failure.wait, self._pause(attempt))
                    if failure.wait > LONGEST_WAIT:
                        raise EndpointFailed("the endpoint asks for too long a pause.") from None
                    if attempt == self.attempts or time.monotonic() + wait >= deadline:
                        raise EndpointFailed(reason) from None
                    self._sleep(wait)
        raise EndpointFailed("the endpoint was not asked.")

    def _client(self) -> httpx.Client:
        try:
            return httpx.Client(follow_redirects=False, auth=self._auth)
        except (ImportError, ValueError, OSError):
            # A proxy of a kind that httpx has no support for, or certificates that cannot be read.
            raise EndpointFailed(
                "the environment names a proxy or certificates that cannot be used."
            ) from None

    def _exchange(self, client: httpx.Client, body: bytes, until: float) -> Reply:
        left = until - time.monotonic()
        if left <= 0:
            raise TryAgain("the endpoint did not answer in time")
        received = bytearray()
        try:
            with _hung_up(left) as note:
                request = client.build_request(
                    "POST",
                    self._url,
                    content=body,
                    headers=self._headers,
                    timeout=left,
                    extensions={"trace": note},
                )
                response = client.send(request, stream=True)
                try:
                    if response.headers.get("content-encoding", "identity") != "identity":
                        # A few bytes may unpack to any number of them.
                        raise self.refused("the answer is compressed, which was not asked for.")
                    for chunk in response.iter_raw(_CHUNK):
                        received += chunk
                        if len(received) > self.most_bytes:
                            raise self.refused(f"the answer has more than {self.most_bytes} bytes.")
                        if time.monotonic() > until:
                            raise TryAgain("the endpoint did not answer in time")
                finally:
                    response.close()
        except httpx.TimeoutException:
            raise TryAgain("the endpoint did not answer in time") from None
        except (httpx.HTTPError, httpx.StreamError, OSError):
            if time.monotonic() >= until:
                raise TryAgain("the endpoint did not answer in time") from None
            raise TryAgain("the connection to the endpoint failed") from None
        return Reply(response.status_code, response.headers, bytes(received))

    @staticmethod
    def _body(reply: Reply) -> bytes:
        """What a reply holds, if it is an answer."""
        if reply.status == 429 or reply.status >= 500:
            raise TryAgain(f"the endpoint answered HTTP {reply.status}", _retry_after(reply.headers))
        if 300 <= reply.status < 400:
            raise EndpointFailed("the endpoint redirects elsewhere, which is not followed.")
        if reply.status != 200:
            raise EndpointFailed(f"the endpoint answered HTTP {reply.status}.", reply.status)
        return reply.body

    @staticmethod
    def _pause(attempt: int) -> float:
        # Jitter keeps many sessions that failed together from asking again together.
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(attempt - 1, 10))
        return pause * random.uniform(0.5, 1.0)


def _parted(base_url: str, path: str) -> tuple[httpx.URL, str, str]:
    """The address to post to, and the user and the password that stood in it."""
    rule = "must be an http or https address without a query, such as http://127.0.0.1:8080/v1"
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError):
        raise InvalidInput("base_url", rule) from None
    if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment:
        raise InvalidInput("base_url", rule)
    whole = url.path.rstrip("/") + path
    return url.copy_with(userinfo=b"", path=whole), url.username, url.password


@contextmanager
def _hung_up(seconds: float) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """Ends the connection after so many seconds. httpx is to report its steps to the function that is given.

    httpx's own time-out begins anew with every byte, so that an endpoint that sends one now and then could hold us for
    days. A socket that is shut down ends any read of it at once.
    """
    connections: list[Any] = []

    def note(step: str, details: dict[str, Any]) -> None:
        if step.endswith(("connect_tcp.complete", "start_tls.complete")):
            connections.append(details["return_value"].get_extra_info("socket"))

    def hang_up() -> None:
        for connection in connections[-1:]:
            with suppress(OSError):
                # Not the method of an SSLSocket, which takes its state from under the thread that reads.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    timer = Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield note
    finally:
        timer.cancel()


def _retry_after(headers: httpx.Headers) -> float:
    """Seconds to wait, given as such or as a date; 0 when it is neither."""
    given = headers.get("retry-after", "").strip()
    if given.isascii() and given.isdigit():
        return float(given[:9])
    try:
        then = parsedate_to_datetime(given)
        return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return 0.0
