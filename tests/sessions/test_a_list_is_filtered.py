"""The list of sessions by last activity, by who recorded an event, and by its type."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory import ContextStore
from backstory.domain.errors import InvalidInput

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def listed(module_database: str) -> Any:
    """A function that lists sessions by their titles: of ten, eleven and twelve o'clock."""
    with ContextStore.open(module_database) as store:
        for title, hours, who in (("ten", -2, "ana"), ("eleven", -1, "ben"), ("twelve", 0, "ana")):
            session = store.start(title=title).occurred(NOON + hours * HOUR)
            session.by(who).message("Hello")
            if title != "ten":
                session.by(who).decide("Go on")
        yield lambda **named: [found.title for found in store.sessions(**named)]


Listed = Callable[..., list[str]]


def test_by_the_time_of_the_last_activity(listed: Listed) -> None:
    assert listed(since=NOON - HOUR) == ["twelve", "eleven"]
    assert listed(until=NOON) == ["eleven", "ten"]
    assert listed(since=NOON - HOUR, until=NOON) == ["eleven"]
    assert listed(since=NOON + HOUR) == []


def test_by_an_event_of_an_actor(listed: Listed) -> None:
    assert listed(actor="ana") == ["twelve", "ten"]


def test_by_the_type_of_an_event(listed: Listed) -> None:
    assert listed(types=["decision.recorded", "goal.set"]) == ["twelve", "eleven"]


def test_one_event_has_to_fit_both(listed: Listed) -> None:
    assert listed(actor="ana", types=["decision.recorded"]) == ["twelve"]


def test_the_limit_counts_what_fits(listed: Listed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backstory.application.queries.session_list.SESSIONS_AT_ONCE", 1)
    assert listed(until=NOON - HOUR, limit=1) == ["ten"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"since": datetime(2026, 3, 1)}, "since"),  # noqa: DTZ001
        ({"until": "2026-03-01"}, "until"),
        ({"actor": ""}, "actor"),
        ({"types": "goal.set"}, "types"),
    ],
)
def test_what_is_no_filter_is_refused(listed: Listed, given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}"):
        listed(**given)
