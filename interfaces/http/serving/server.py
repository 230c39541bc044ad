"""The processes of the service."""

import json
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr
from uvicorn.supervisors import Multiprocess

from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, Refused
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.protocol import PatientProtocol

GRACE = 20
"""Seconds that requests under way have to end when the service stops."""
MOST_CONNECTIONS = 2_000
"""Connections of a process; one more is answered 503."""
LONGEST_HEADER = 32 * 1024
LONGEST_MESSAGE = 64 * 1024
"""Bytes of a client's message over WebSocket."""
PATIENCE = 5.0
"""Seconds to wait for a connection to the database before a request is answered 503."""
_ENVIRONMENT = "BACKSTORY_SERVED"


@dataclass(frozen=True)
class Address:
    """Where a service listens, and how."""

    host: str = "127.0.0.1"
    port: int = 8765
    certificate: Path | None = None
    certificate_key: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    def listen(self) -> socket.socket:
        """A socket that listens there."""
        try:
            family, _, _, _, place = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            # Named, or asyncio does not turn off the delay of small segments on the connections.
            opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                opened.bind(place)
                opened.listen(2048)
            except BaseException:
                opened.close()
                raise
        except (OSError, OverflowError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "no such address"
            raise InvalidInput("port", f"{self.host}:{self.port} cannot be listened on: {reason}") from None
        opened.set_inheritable(True)
        return opened

    def url(self, port: int) -> str:
        """Its address in a browser, at the port that it really has."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        host = "127.0.0.1" if host in ("0.0.0.0", "[::]") else host
        return f"http{'s' if self.certificate else ''}://{host}:{port}"


def require_safe(address: Address, store: ContextStore, *, force: bool) -> ServiceOptions:
    """The options that follow from where a service listens. Refuses to let others reach one without keys or TLS."""
    if address.is_loopback:
        return ServiceOptions()
    if not force and not store.keys.exist():
        raise Refused(
            f"host: {address.host} can be reached from elsewhere and there are no keys: make one with 'backstory keys "
            "create', or say --force."
        )
    if not force and address.certificate is None:
        raise Refused(
            f"host: {address.host} can be reached from elsewhere and keys would cross the network in the clear: give "
            "--tls-cert and --tls-key, or say --force where a proxy in front has TLS."
        )
    # Where there were keys, the end of the last one must not open the service.
    return ServiceOptions(keys_required=not force or store.keys.exist())


class Server(uvicorn.Server):
    """A server that tells when it is up, and whose end by a signal is the end of a command."""

    def __init__(self, app: FastAPI, address: Address, started: Callable[[], None]) -> None:
        super().__init__(_config(app, address))
        self._on_start = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        with super().capture_signals():
            yield
            self._captured_signals.clear()


def run(
    store: ContextStore,
    options: ServiceOptions,
    address: Address,
    opened: socket.socket,
    started: Callable[[], None],
) -> None:
    """Serves a store from this process until it is told to stop. Answers what it has accepted, then ends."""
    app = create_app(store, options)
    Server(app, address, started).run([opened])


def run_processes(
    count: int,
    url: str | None,
    options: ServiceOptions,
    address: Address,
    opened: socket.socket,
    started: Callable[[], None],
) -> None:
    """Serves from several processes at one address. One that dies is replaced."""
    given = {
        "url": url,
        "keys_required": options.keys_required,
        "hosts": sorted(options.hosts),
        "origins": options.origins,
        "rate": options.rate / count,
        "page": None if options.page is None else str(options.page),
        "worker": options.worker,
        "cookie_secret": options.cookie_secret.get_secret_value(),
    }
    with tempfile.TemporaryDirectory(prefix="backstory-metrics-") as metrics:
        os.environ |= {_ENVIRONMENT: json.dumps(given), "PROMETHEUS_MULTIPROC_DIR": metrics}
        try:
            config = _config(f"{__name__}:app_of_process", address, factory=True, workers=count)
            started()
            Multiprocess(config, [opened]).run()
        finally:
            for name in (_ENVIRONMENT, "PROMETHEUS_MULTIPROC_DIR"):
                with suppress(KeyError):
                    del os.environ[name]


def app_of_process() -> FastAPI:
    """The application of one of several processes."""
    from backstory.application.operations.logs import set_up_logs

    given: dict[str, Any] = json.loads(os.environ[_ENVIRONMENT])
    url = given.pop("url")
    set_up_logs(url)
    options = replace(
        ServiceOptions(),
        **given
        | {
            "hosts": frozenset(given["hosts"]),
            "origins": tuple(given["origins"]),
            "page": None if given["page"] is None else Path(given["page"]),
            "cookie_secret": SecretStr(given["cookie_secret"]),
        },
    )
    return create_app(open_store(url), options)


def open_store(url: str | None, *, migrate: bool = False) -> ContextStore:
    """The store of a service: it waits for its database no longer than a client waits for an answer."""
    patience = None if "BACKSTORY_PATIENCE" in os.environ else PATIENCE
    return ContextStore.open(url, patience=patience, migrate=migrate)


def _config(app: FastAPI | str, address: Address, **more: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        log_config=None,
        access_log=False,
        server_header=False,
        # Only where uvicorn's own variable names the proxies that are believed.
        proxy_headers="FORWARDED_ALLOW_IPS" in os.environ,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=LONGEST_HEADER,
        timeout_graceful_shutdown=GRACE,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.certificate_key,
        **more,
    )
