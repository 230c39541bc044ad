"""Who writes to a session or a project of a service, when and why: the headers of its requests."""

import os
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote
from uuid import UUID, uuid4

from backstory.application.handle import OpenSession, SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.writing.requests import Provenance
from backstory.domain.errors import InvalidInput, OnlyInProcess
from backstory.domain.records import Item
from backstory.domain.values import version_number
from backstory.interfaces.client.connection import Answer, Connection

EPOCH = "Backstory-Epoch"


class RemoteHandle(SessionHandle):
    """One session or project of a service, on behalf of its parts."""

    def __init__(
        self, connection: Connection, path: str, id: UUID, opened: OpenSession, provenance: Provenance
    ) -> None:
        self.connection = connection
        self.path = path
        self.id = id
        self.opened = opened
        self.provenance = provenance

    @classmethod
    def of_session(cls, connection: Connection, id: UUID, epoch: int) -> Self:
        """The handle of a session that exists."""
        return cls(connection, f"/sessions/{id}", id, OpenSession(epoch, {}), Provenance())

    @classmethod
    def of_project(cls, connection: Connection, name: str, id: UUID) -> Self:
        """The handle of a project, which may not have been written to yet."""
        return cls(connection, f"/projects/{quote(name, safe='')}", id, OpenSession(0, {}), Provenance())

    @classmethod
    def of_store(cls, connection: Connection) -> Self:
        """The handle of the store itself."""
        return cls(connection, "", UUID(int=0), OpenSession(0, {}), Provenance())

    @property
    def runtime(self) -> Runtime:  # type: ignore[override]
        raise OnlyInProcess("this needs the database itself: open the store with ContextStore.open().")

    @property
    def is_session(self) -> bool:
        """Whether it is a session, and not a project."""
        return self.path.startswith("/sessions/")

    def with_(self, **changes: Any) -> Self:
        view = copy(self)
        view.provenance = replace(self.provenance, **changes)
        return view

    def refresh(self, epoch: int | None = None) -> None:
        self.opened.epoch = self.read("/version").document["epoch"] if epoch is None else epoch

    def read(self, path: str, query: Mapping[str, Any] | None = None) -> Answer:
        """Asks for something below the session."""
        return self.connection.ask("GET", self.path + path, query=query, headers=self.headers())

    def post(self, path: str, body: Any, *, keyed: bool = True, expected: int | None = None) -> Answer:
        """Writes. A write that takes a key has one of its own, so that it can be repeated."""
        headers = self.headers() | self._write_headers(keyed)
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        answer = self.connection.ask("POST", self.path + path, body=body, headers=headers)
        if self.is_session and EPOCH in answer.headers:
            # It was accepted in the epoch that this handle has seen, so a later one is of its own backtrack. A
            # repeated write is answered as it was at first.
            self.opened.epoch = max(self.opened.epoch, int(answer.headers[EPOCH]))
        return answer

    def apply(self, verb: str, path: str, body: Mapping[str, Any]) -> int:
        """Makes one write of the library. Returns its version."""
        version: int = self.post(path, body).document["version"]
        return version

    def download(self, path: str, query: Mapping[str, Any], target: Path) -> None:
        """Reads an answer into a file, which is there when it is complete."""
        partial = target.with_name(f".{target.name}.{uuid4().hex}")
        try:
            with (
                self.connection.stream(
                    "GET", self.path + path, query=query, headers=self.headers()
                ) as response,
                partial.open("wb") as file,
            ):
                for piece in response.iter_bytes():
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def require_items(self, field: str, ids: Sequence[int], types: Collection[str] = ()) -> list[Item]:
        for id in ids:
            version_number(field, id)
        return []

    def headers(self) -> dict[str, str]:
        """The headers of every request: who asks."""
        actor = self.provenance.actor
        return {} if actor is None else {"Backstory-Actor": quote(actor, safe="")}

    def _write_headers(self, keyed: bool) -> dict[str, str]:
        told = self.provenance
        headers = {}
        if told.key is not None or keyed:
            headers["Idempotency-Key"] = uuid4().hex if told.key is None else header_key(told.key)
        if told.occurred_at is not None:
            headers["Backstory-Occurred-At"] = told.occurred_at.isoformat()
        if told.cause is not None:
            headers["Backstory-Cause"] = str(told.cause)
        if told.origin is not None:
            headers["Backstory-Origin"] = told.origin
        if self.is_session:
            headers[EPOCH] = str(self.opened.epoch)
        return headers


def header_key(key: str) -> str:
    """An idempotency key as a header can have it."""
    sent = key if key.isascii() and key.isprintable() else quote(key, safe="")
    if len(sent) > 200:
        raise InvalidInput("key", "must have at most 200 characters; others than ASCII count as several")
    return sent
