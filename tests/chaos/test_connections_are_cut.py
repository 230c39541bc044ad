"""A proxy cuts connections in the middle of a commit: what was asked for is known, what was answered is not."""

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import OutcomeUnknown
from tests.chaos.form import form
from tests.chaos.proxy import WAYS, Proxy
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


@pytest.fixture
def proxy(server):
    proxy = Proxy(server.socket_directory / f".s.PGSQL.{server.port}")
    yield proxy
    proxy.close()


def test_writers_go_on(trial, server, proxy, report):
    cutting = trial("connection cut in a commit", proxy.url(), url=server.url())

    def cut():
        before = len(proxy.cuts)
        proxy.cut()
        until(lambda: len(proxy.cuts) > before)

    for _ in range(form(6, 100)):
        cutting.round(cut)
    report(cutting.finish())
    assert set(proxy.cuts) == set(WAYS)
    notes = [note for writer in cutting.writers for note in writer.notes()]
    assert all(note["kind"] == "plain" for note in notes if note["outcome"] == "unknown")


@pytest.mark.parametrize("way", WAYS)
def test_without_a_key_the_outcome_is_unknown_and_under_a_key_it_is_repeated(server, proxy, way):
    with ContextStore.open(proxy.url(), migrate=False) as store:
        session = store.start()
        session.message("a first one")
        proxy.cut(way)
        with pytest.raises(OutcomeUnknown, match="may or may not be in the log"):
            session.message("plain")
        if way != "after the request":
            # In that case the server may still be at it.
            assert said(session).count(b"plain") == (way == "before the answer")

        proxy.cut(way)
        version = session.once("key").message("keyed")
        proxy.cut(way)
        assert session.once("key").message("keyed") == version
        assert proxy.cuts == [way] * 3
        assert said(session).count(b"keyed") == 1
        assert session.verify().ok


def said(session):
    return [message.parts[0].data for message in session.messages()]
