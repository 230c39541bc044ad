"""Who is told that a window fills, when, and with what."""

import pytest

from backstory import ContextStore
from backstory.application.session import Session
from backstory.application.window.results import Alert
from backstory.domain.errors import ContextOverflow, InvalidInput
from tests.compact.conversations import a_session, talk


def _usage(session: Session, share: float) -> list[str]:
    """The levels that a check at this usage alerts of."""
    limit = session.state.windows["main"].limit
    assert limit is not None
    checked = session.before_call(next_tokens=max(0, int(share * limit) - session.state.tokens + 1))
    return [alert.level for alert in checked.alerts]


@pytest.fixture
def session(store: ContextStore) -> Session:
    session = a_session(store, limit=100_000)
    talk(session, 3)
    return session


def test_once_per_crossing(session: Session) -> None:
    assert _usage(session, 0.6) == []
    assert _usage(session, 0.71) == ["warning"]
    assert _usage(session, 0.72) == []
    assert _usage(session, 0.86) == ["danger"]
    assert _usage(session, 0.87) == []
    assert _usage(session, 0.91) == ["low_space"]
    assert session.state.counters["alerts"] == 3


def test_the_highest_level_speaks_for_those_below(session: Session) -> None:
    assert _usage(session, 0.92) == ["low_space"]
    assert _usage(session, 0.92) == []


def test_again_after_the_zone_was_left(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    long = session.items.save("document", "some words of a long document " * 200)
    session.window.configure(limit=int(session.state.tokens / 0.75))
    assert _usage(session, 0) == ["warning"]
    assert _usage(session, 0) == []
    session.items.remove(long)
    assert session.state.alerts == {}
    session.items.bring_back(long)
    assert _usage(session, 0) == ["warning"]


def test_another_limit_is_another_level(store: ContextStore) -> None:
    session = a_session(store, limit=1_000_000)
    session.items.save("document", "some words of a long document " * 200)
    limit = int(session.state.tokens / 0.75)
    session.window.configure(limit=limit)
    assert _usage(session, 0) == ["warning"]
    session.window.configure(limit=limit + 1)
    assert _usage(session, 0) == ["warning"]


def test_handlers_get_the_documents_payload(url: str) -> None:
    heard: list[Alert] = []
    own: list[Alert] = []
    with ContextStore.open(url, on_alert=heard.append) as store:
        session = a_session(store, limit=10_000)
        session.window.on_alert(own.append)
        session.by("planner").before_call(next_tokens=8_700)
    assert heard == own
    (alert,) = heard
    assert alert.session == session.id
    assert alert.payload() == {
        "type": "CONTEXT_SIZE_ALERT",
        "level": "DANGER",
        "ratio": alert.ratio,
        "recommendation": "Prepare checkpoint and pruning strategy",
    }
    assert 0.85 <= alert.ratio == (alert.tokens + alert.next_tokens) / alert.limit


def test_a_handler_that_fails_stops_nothing(session: Session, caplog: pytest.LogCaptureFixture) -> None:
    def failing(alert: Alert) -> None:
        raise RuntimeError("no")

    heard: list[Alert] = []
    session.window.on_alert(failing)
    session.window.on_alert(heard.append)
    assert _usage(session, 0.75) == ["warning"]
    assert len(heard) == 1
    assert "A handler of alerts failed." in caplog.text


def test_they_are_told_also_where_nothing_helps(store: ContextStore) -> None:
    heard: list[Alert] = []
    session = store.start(limit=100)
    session.window.on_alert(heard.append)
    session.set_system_prompt("word " * 200)
    with pytest.raises(ContextOverflow):
        session.before_call()
    assert [alert.level for alert in heard] == ["critical"]


def test_what_cannot_be_called_is_refused(session: Session, url: str) -> None:
    with pytest.raises(InvalidInput, match="handler"):
        session.window.on_alert("not a function")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="on_alert"):
        ContextStore.open(url, on_alert="not a function")  # type: ignore[arg-type]
