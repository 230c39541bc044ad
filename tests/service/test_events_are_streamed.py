"""Server-Sent Events: what was missed, then what comes; nothing twice, nothing left out."""

from itertools import islice
from uuid import uuid4

import httpx
import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.documents.events import EventDocument
from backstory.interfaces.documents.live import LiveEventDocument
from tests.service.served import Served, following, served


@pytest.fixture
def session(store: ContextStore) -> Session:
    return store.start(project=f"project-{uuid4().hex[:8]}")


def live(session: Session) -> str:
    return f"/api/v1/sessions/{session.id}/live"


def test_what_comes_is_sent_whole(service: Served, session: Session) -> None:
    with following(service.url, live(session), after=1) as stream:
        version = session.message("Hello.")
        (found,) = islice(stream, 1)
    assert (found.event, found.id) == ("event", version)
    assert EventDocument.model_validate(found.data).contents[0].text == "Hello."


def test_what_was_missed_comes_first(service: Served, session: Session) -> None:
    for number in range(250):
        session.message(f"{number}")
    with following(service.url, live(session), after=3) as stream:
        session.message("last")
        ids = [found.id for found in islice(stream, 249)]
    assert ids == list(range(4, 253))


def test_it_goes_on_after_the_last_id(service: Served, session: Session) -> None:
    for number in range(5):
        session.message(f"{number}")
    with following(service.url, live(session), {"Last-Event-ID": "4"}, after=1) as stream:
        assert [found.id for found in islice(stream, 2)] == [5, 6]


def test_it_ends_where_it_was_told_to(service: Served, session: Session) -> None:
    session.message("Hello.")
    with following(service.url, live(session), after=0, upto=1) as stream:
        assert [found.id for found in stream] == [1]


def test_a_project_is_followed(service: Served, store: ContextStore, session: Session) -> None:
    project, other = store.summary(session.id).project, store.start(project="elsewhere")
    after = store.feed_status().position
    with following(service.url, f"/api/v1/projects/{project}/live", after=after) as stream:
        other.message("not this")
        version = session.message("this")
        (found,) = islice(stream, 1)
    document = LiveEventDocument.model_validate(found.data)
    assert (document.session, document.version, document.project) == (session.id, version, project)
    assert found.id == document.position


def test_all_sessions_are_followed(service: Served, store: ContextStore, session: Session) -> None:
    after = store.feed_status().position
    others = {session.id, store.start().id}
    with following(service.url, "/api/v1/live", after=after) as stream:
        for id in others:
            store.session(id).message("Hello.")
        seen = set()
        for found in stream:
            seen.add(found.data["session"])
            if {str(id) for id in others} <= seen:
                break


def test_an_id_that_is_none_is_refused(service: Served, session: Session) -> None:
    answer = httpx.get(service.url + live(session), headers={"Last-Event-ID": "x"})
    assert (answer.status_code, answer.json()["field"]) == (422, "Last-Event-ID")


def test_a_purged_session_is_told_of(service: Served, session: Session) -> None:
    with following(service.url, live(session), after=0) as stream:
        next(stream)
        service.store.purge(session.id, without_export=True)
        (found,) = (one for one in stream if one.event == "dropped")
    assert "purged" in found.data["reason"]


def test_a_service_that_stops_says_so(store: ContextStore, session: Session) -> None:
    with served(store) as running, following(running.url, live(session), after=0) as stream:
        next(stream)
        running.begin_to_stop()
        (found,) = stream
        assert (found.event, found.data["after"]) == ("closing", 1)
