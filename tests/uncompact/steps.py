"""Steps of work, as they stand before a compaction."""

import json
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from backstory.domain.messages.contents import Part
from backstory.domain.recap.facts import Step

BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Steps:
    """Makes steps one after the other."""

    def __init__(self) -> None:
        self.made: list[Step] = []
        self._ids = count(2)

    def user(self, text: str) -> int:
        return self._add("user", True, (Part("text", text.encode()),))

    def agent(self, text: str) -> int:
        return self._add("agent", False, (Part("text", text.encode()),))

    def call(self, name: str, result: str | None, *, error: bool = False, **arguments: Any) -> int:
        call = Part("tool_use", json.dumps(arguments).encode(), "application/json", "c", name)
        parts = [call]
        if result is not None:
            extras = json.dumps({"is_error": True}).encode() if error else None
            parts.append(Part("tool_result", result.encode(), call_id="c", extras=extras))
        return self._add("agent", False, tuple(parts), pending=result is None)

    def _add(self, role: str, of_user: bool, parts: tuple[Part, ...], *, pending: bool = False) -> int:
        id = next(self._ids)
        self.made.append(Step(id, BEGAN + timedelta(minutes=id), role, of_user, parts, pending))
        return id
