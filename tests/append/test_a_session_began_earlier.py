"""A session may have begun at another time than the one at which it is recorded."""

from datetime import UTC, datetime

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_its_first_event_occurred_then(any_store: ContextStore) -> None:
    session = any_store.start(title="Yesterday's call", occurred=BEGAN)
    (started,) = session.events()
    assert started.occurred_at == BEGAN
    assert any_store.summary(session.id).started_at == BEGAN


def test_a_time_without_a_zone_is_refused(any_store: ContextStore) -> None:
    with pytest.raises(InvalidInput, match="occurred"):
        any_store.start(occurred=BEGAN.replace(tzinfo=None))
