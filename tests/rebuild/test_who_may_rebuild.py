"""The service role may look; making read models anew is for the role that owns the tables."""

from collections.abc import Callable
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, Refused, UnknownSession
from backstory.infrastructure.schema.protection import SERVICE_ROLE


def test_a_mere_member_of_the_service_may_check_and_not_rebuild(
    new_database: Callable[[], str], embedded_server: str
) -> None:
    url = new_database()
    login = f"login_{uuid4().hex[:12]}"
    with psycopg.connect(embedded_server, autocommit=True) as connection:
        connection.execute(f"create role {login} login".encode())
        connection.execute(f"grant {SERVICE_ROLE} to {login}".encode())
    with ContextStore.open(url.replace("postgres@", f"{quote(login)}@", 1), migrate=False) as store:
        session = store.start()
        session.message("hello")
        assert store.check_projections().ok
        with pytest.raises(Refused, match=f"{login} may not change the read models"):
            store.rebuild_projections()
    with ContextStore.open(url) as store:
        assert store.rebuild_projections().events == 2


def test_a_session_that_is_not_there(store: ContextStore) -> None:
    missing = uuid4()
    for work in (store.check_projections, store.rebuild_projections):
        with pytest.raises(UnknownSession, match=str(missing)):
            work([missing])
        with pytest.raises(InvalidInput, match="sessions: must be a list"):
            work(str(missing))


def test_a_purged_session_has_no_read_models(new_database: Callable[[], str]) -> None:
    url = new_database()
    with ContextStore.open(url) as store, psycopg.connect(url, autocommit=True) as connection:
        gone = store.start()
        gone.message("hello")
        connection.execute("select backstory.purge(%s)", (gone.id,))
        rebuilt = store.rebuild_projections()
        assert (rebuilt.sessions, rebuilt.orphans) == (0, ())
        assert store.check_projections().ok
