"""A content is compared with the digest in its event whenever it is read: no reader is shown altered text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from backstory import ContextStore
from backstory.application.queries.history import SessionHistory
from backstory.application.session import Session
from backstory.domain.errors import ContentErased, VerificationFailed

LONG = "the same long text " * 100


@dataclass
class Record:
    url: str
    id: UUID
    said: int
    assembly: int
    decision: int

    def alter(self, statement: str) -> None:
        """Changes contents the way a superuser could: with the triggers switched off."""
        with psycopg.connect(self.url) as connection:
            connection.execute("alter table backstory.contents disable trigger append_only")
            connection.execute(statement.encode(), (self.id,))


@pytest.fixture
def record(new_database: Callable[[], str]) -> Record:
    url = new_database()
    with ContextStore.open(url) as store:
        session = store.start(limit=8_000)
        said = session.message("pay 100")
        shown = session.context()
        assert shown.version is not None
        call = session.model_called(shown, "a-model", {"input_tokens": 10})
        answer = session.caused_by(call).message("approved", role="agent")
        decision = session.caused_by(answer).decide("approve it")
        return Record(url, session.id, said, shown.version, decision)


@pytest.fixture
def reopened(record: Record) -> Iterator[Callable[[], Session]]:
    """Opens the session in a store that has read nothing yet."""
    stores = []

    def reopen() -> Session:
        stores.append(ContextStore.open(record.url))
        return stores[-1].session(record.id)

    yield reopen
    for store in stores:
        store.close()


READS: dict[str, Callable[[Session, Record], object]] = {
    "context": lambda session, record: session.context(record=False),
    "text": lambda session, record: session.text(record.said),
    "messages": lambda session, record: session.messages(),
    "log": lambda session, record: list(SessionHistory(session).entries()),
    "saw": lambda session, record: session.saw(record.decision),
    "reproduce": lambda session, record: session.reproduce(record.assembly),
}
ALTERED = "update backstory.contents set bytes = 'pay 999' where stream_id = %s and version = 2"
ANOTHER_KIND = "update backstory.contents set media_type = 'text/html' where stream_id = %s and version = 2"
GONE = "delete from backstory.contents where stream_id = %s and version = 2"


@pytest.mark.parametrize("door", READS)
@pytest.mark.parametrize("statement", [ALTERED, ANOTHER_KIND], ids=["bytes", "media type"])
def test_altered_text_is_never_shown(
    record: Record, reopened: Callable[[], Session], door: str, statement: str
) -> None:
    record.alter(statement)
    with pytest.raises(VerificationFailed, match="version 2 part 0: does not match the digest in its event"):
        READS[door](reopened(), record)


@pytest.mark.parametrize("door", READS)
def test_what_is_gone_without_an_erasure_is_not_called_erased(
    record: Record, reopened: Callable[[], Session], door: str
) -> None:
    record.alter(GONE)
    with pytest.raises(VerificationFailed, match="version 2 part 0: is missing, and no event says"):
        READS[door](reopened(), record)


def test_an_erasure_is_still_an_erasure(record: Record, reopened: Callable[[], Session]) -> None:
    session = reopened()
    session.message("another")
    session.erase(record.said, "by law")
    with pytest.raises(ContentErased):
        reopened().text(record.said)
    assert [entry.contents[0].erased for entry in SessionHistory(reopened()).entries(after=1, upto=2)] == [
        True
    ]


def test_an_erasure_of_one_text_excuses_no_other(record: Record, reopened: Callable[[], Session]) -> None:
    session = reopened()
    other = session.message("another")
    session.erase(other, "by law")
    record.alter(GONE)
    with pytest.raises(VerificationFailed, match="is missing"):
        reopened().text(record.said)


def test_a_fork_reads_its_inheritance_checked(record: Record, reopened: Callable[[], Session]) -> None:
    fork = reopened().fork().id
    record.alter(ALTERED)
    with ContextStore.open(record.url) as store, pytest.raises(VerificationFailed, match="does not match"):
        store.session(fork).text(record.said)


def test_bytes_that_another_content_shares(record: Record, reopened: Callable[[], Session]) -> None:
    session = reopened()
    first, second = session.message(LONG), session.message(LONG)
    record.alter(f"update backstory.contents set bytes = 'short' where stream_id = %s and version = {first}")
    with pytest.raises(VerificationFailed, match=f"version {second} part 0: does not match"):
        reopened().text(second)


@pytest.mark.parametrize(("statement", "what"), [(ALTERED, "does not match"), (GONE, "is missing")])
def test_an_export_is_refused(record: Record, tmp_path: Path, statement: str, what: str) -> None:
    record.alter(statement)
    with ContextStore.open(record.url) as store, pytest.raises(VerificationFailed, match=what):
        store.export(record.id, tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []
