"""New connections to Postgres: tried again until the patience ends, with timeouts for a machine that is gone."""

import random
import threading
import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from backstory.domain.errors import ServerUnavailable

C = TypeVar("C", bound=psycopg.Connection)

_PAUSE = 0.05
_LONGEST_PAUSE = 0.5

# A machine that vanished closes no connection, so its silence has to tell. In seconds; what the URL says counts more.
_SIGNS_OF_LIFE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


class Connector:
    """Connects to one Postgres. `revive` starts an embedded server again."""

    def __init__(self, url: str, patience: float, revive: Callable[[], object] | None = None) -> None:
        self.url = url
        self.trouble: str | None = None
        """The reason why the embedded server could not be started last time."""
        self._patience = patience
        self._revive = revive
        self._stopped = threading.Event()
        given = conninfo_to_dict(url)
        defaults = {**_SIGNS_OF_LIFE, "tcp_user_timeout": max(1, round(patience * 1000))}
        self.settings: dict[str, Any] = {
            "autocommit": True,
            **{name: value for name, value in defaults.items() if name not in given},
        }

    def connect(self) -> psycopg.Connection:
        """Returns a new connection in autocommit mode. Raises the error of the last attempt when the patience ends."""
        return self._insist(lambda: psycopg.connect(self.url, **self.settings))

    def pooled(self) -> type[psycopg.Connection]:
        """Returns the connection class for a pool. A pool retries after 1, 2, 4, 8 and 16 seconds and starts no server,
        so one that is back would be found late. Here each attempt of the pool retries until the patience ends."""
        insist = self._insist

        class Patient(psycopg.Connection):
            @classmethod
            def connect(cls, *given: Any, **settings: Any) -> Self:
                return insist(lambda: super(Patient, cls).connect(*given, **settings))

        return Patient

    def stop(self) -> None:
        """Ends attempts that are under way."""
        self._stopped.set()

    def _insist(self, attempt: Callable[[], C]) -> C:
        deadline = time.monotonic() + self._patience
        pause = _PAUSE
        while True:
            try:
                return attempt()
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self._stopped.is_set():
                    raise
            self._revive_server()
            # Never the same for two: many writers must not come back all at once.
            self._stopped.wait(random.uniform(pause / 2, pause))
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _revive_server(self) -> None:
        if self._revive is None:
            return
        try:
            self._revive()
            self.trouble = None
        except ServerUnavailable as error:
            self.trouble = str(error)
