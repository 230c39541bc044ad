"""A proxy leads to a standby for a while: what that refuses is repeated until there is a primary."""

import shutil
import threading

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import ServerUnavailable
from backstory.infrastructure.embedded import server as embedded
from tests.chaos.proxy import Proxy
from tests.waiting import until

pytestmark = pytest.mark.chaos


def socket_of(server):
    return server.socket_directory / f".s.PGSQL.{server.port}"


@pytest.fixture
def standby(home, tmp_path):
    """A copy of the server that only replays what it has. It lags behind: what is begun after this is not there."""
    embedded.stop(home)
    copy = tmp_path / "standby"
    shutil.copytree(home, copy)
    (copy / "postgres-18" / "data" / "standby.signal").touch()
    embedded.start_or_join(home)
    yield embedded.start_or_join(copy)
    embedded.stop(copy)


@pytest.fixture
def proxy(standby, server):
    proxy = Proxy(socket_of(embedded.start_or_join(server.data_directory.parents[1])))
    yield proxy
    proxy.close()


@pytest.mark.parametrize("key", [None, "key"])
def test_an_append_waits_for_a_primary(standby, proxy, key):
    primary = proxy.target
    with ContextStore.open(proxy.url(), migrate=False) as store:
        session = store.start()
        writer = session if key is None else session.once(key)
        proxy.lead_to(socket_of(standby))
        said = []
        writing = threading.Thread(target=lambda: said.append(writer.message("hello")))
        writing.start()
        # It was refused, came back on another connection, and was refused again.
        until(lambda: proxy.led.count(socket_of(standby)) >= 3)
        proxy.lead_to(primary)
        writing.join()
        assert said == [2]
        assert session.version == 2
        assert session.verify().ok


def test_when_none_comes_the_reason_is_given(standby, proxy):
    with ContextStore.open(proxy.url(), migrate=False, patience=1) as store:
        session = store.start()
        proxy.lead_to(socket_of(standby))
        with pytest.raises(ServerUnavailable, match="read-only"):
            session.message("hello")
