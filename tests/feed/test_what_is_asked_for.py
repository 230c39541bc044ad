"""The feed, a session's log and its tail, by actor and by the time at which events occurred; and the feed's texts."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextStore
from backstory.domain.errors import InvalidInput
from tests.blocking import open_blocking

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(params=["sync", "async"], scope="module")
def session(request: pytest.FixtureRequest, module_database: str) -> Any:
    """A session of two agents: a message at ten, a decision at eleven, a message at noon."""
    opened = ContextStore.open if request.param == "sync" else open_blocking
    with opened(module_database) as store:
        session = store.start(project=request.param).occurred(NOON - 2 * HOUR)
        session.by("ana").message("Ten o'clock")
        session.by("ben").occurred(NOON - HOUR).decide("Go on", rationale="it is late")
        session.by("ana").occurred(NOON).message("Noon")
        session.store = store
        yield session


def seen(events: Iterable[Any]) -> list[int]:
    return [event.version for event in events]


def everywhere(session: Any, **wanted: Any) -> list[list[int]]:
    """The versions that the log, the tail and the feed give."""
    with session.tail(upto=session.version, **wanted) as tail:
        tailed = seen(tail)
    feed = session.store.feed(project=session.state.project.name, **wanted)
    return [seen(session.events(**wanted)), tailed, seen(feed)]


@pytest.mark.parametrize(
    ("wanted", "versions"),
    [
        ({"since": NOON - HOUR, "until": NOON + HOUR}, [3, 4]),
        ({"until": NOON}, [2, 3]),
        ({"actor": "ana", "until": NOON + HOUR}, [2, 4]),
        ({"actor": "ana", "types": ["message.added"], "until": NOON}, [2]),
        ({"actor": "nobody"}, []),
    ],
    ids=str,
)
def test_events_are_found(session: Any, wanted: dict[str, Any], versions: list[int]) -> None:
    assert everywhere(session, **wanted) == [versions] * 3


@pytest.mark.parametrize("wanted", [{"since": datetime(2026, 3, 1)}, {"until": "noon"}, {"actor": "\n"}])  # noqa: DTZ001
def test_what_is_no_filter_is_refused(session: Any, wanted: dict[str, Any]) -> None:
    for read in (session.events, session.tail, session.store.feed):
        with pytest.raises(InvalidInput, match=next(iter(wanted))):
            list(read(**wanted))


def test_texts_come_with_the_events_on_request(session: Any) -> None:
    wanted: dict[str, Any] = {"project": session.state.project.name, "actor": "ben"}
    (entry,) = session.store.feed(**wanted, contents=True)
    assert {content.field: content.text for content in entry.contents} == {
        "text": "Go on",
        "rationale": "it is late",
    }
    (entry,) = session.store.feed(**wanted)
    assert entry.contents == ()


def test_an_erased_text_is_named_without_its_bytes(own_store: ContextStore) -> None:
    session = own_store.start()
    said = session.message("My number is 4711")
    session.erase(said, "asked for")
    (entry,) = own_store.feed(types=["message.added"], contents=True)
    assert [(content.erased, content.text) for content in entry.contents] == [(True, None)]
