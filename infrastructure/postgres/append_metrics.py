"""Metrics of appended events. Computed only if somebody observes them."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from backstory.domain.events import BODIES, ItemsCompacted, ResultsStubbed, TiersReassigned
from backstory.domain.log.ranges import from_ranges
from backstory.infrastructure.observability.watchers import happened

if TYPE_CHECKING:
    from backstory.infrastructure.postgres.append import PendingEvent

OTHER = "other"
"""The label for types and algorithms of users: there may be any number of them, and a label must have few values."""
STUBS = "stubs"
MOST_ALGORITHMS = 30

_algorithms: set[str] = set()


def count_appended(events: "Iterable[PendingEvent]") -> None:
    """Counts the events, tier changes, compactions and saved tokens."""
    for event in events:
        own = event.type in BODIES and ":" not in event.type
        happened("events", type=event.type if own else OTHER)
        if event.type == TiersReassigned.type:
            for tier, items in json.loads(event.payload)["changes"].items():
                happened("tier_changes", len(from_ranges(items)), tier=tier)
        elif event.type == ItemsCompacted.type:
            said = json.loads(event.payload)
            _saved(_few(said["algorithm"]), said)
        elif event.type == ResultsStubbed.type:
            _saved(STUBS, json.loads(event.payload))


def _saved(algorithm: str, said: dict[str, Any]) -> None:
    happened("compactions", algorithm=algorithm)
    less = (said.get("tokens_before") or 0) - (said.get("tokens_after") or 0)
    if less > 0:
        happened("tokens_saved", less, algorithm=algorithm)


def _few(algorithm: str) -> str:
    if len(_algorithms) < MOST_ALGORITHMS:
        _algorithms.add(algorithm)
    return algorithm if algorithm in _algorithms else OTHER
