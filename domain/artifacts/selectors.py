"""The choice among registered artifacts: by name, by what belongs to the current idea, by layer."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from backstory.domain.records import ArtifactNote

CLARIFICATIONS, SUMMARIES, HISTORY = "clarifications", "session-summaries", "version-history"
"""Artifacts that have no file: they are made from the record when they are loaded."""


class Selector(NamedTuple):
    """Artifacts that may be asked for by one name."""

    types: tuple[str, ...] = ()
    """Their types."""
    current: bool = False
    """Whether they belong to the current idea, where anything is linked to it."""
    layer: int | None = None
    """The layer of the project they belong to."""
    made: str | None = None
    """The artifact that is made from the record instead."""


SELECTORS: dict[str, Selector] = {
    "current_idea": Selector(("idea",), current=True),
    "current_modules": Selector(("module",), current=True),
    "current_domains": Selector(("domain",), current=True),
    "current_requirements": Selector(("requirement",), current=True),
    "current_specifications": Selector(("specification",), current=True),
    "current_code": Selector(("code",), current=True),
    "architecture_diagrams": Selector(("diagram",)),
    "domain_models": Selector(("domain", "domain_model")),
    "domain_events": Selector(("domain_event",)),
    "templates": Selector(("template",)),
    "clarifications": Selector(made=CLARIFICATIONS),
    "session_summaries": Selector(made=SUMMARIES),
    "version_history": Selector(made=HISTORY),
}
"""What a preload table may name."""


def selected(name: str, artifacts: Mapping[str, ArtifactNote], idea: str | None) -> list[str]:
    """The artifacts of a name, the nearest to the current idea first."""
    selector = SELECTORS[name]
    if selector.made is not None:
        return [selector.made]
    near = [*linked(artifacts, idea)]
    if name == "current_idea":
        return [idea] if idea is not None and idea in artifacts else []
    wanted = [id for id, note in artifacts.items() if note.type in selector.types]
    linked_ones = [id for id in near if id in wanted]
    if selector.current and len(near) > 1:
        return linked_ones
    return [*linked_ones, *(id for id in wanted if id not in linked_ones)]


def linked(artifacts: Mapping[str, ArtifactNote], start: str | None) -> Iterator[str]:
    """An artifact and those that its links lead to, the nearest first. A link counts in both directions."""
    if start is None or start not in artifacts:
        return
    neighbours: dict[str, list[str]] = {}
    for id, note in artifacts.items():
        for other in (*([note.parent] if note.parent else []), *note.children, *note.related):
            neighbours.setdefault(id, []).append(other)
            neighbours.setdefault(other, []).append(id)
    seen, waiting = {start}, deque([start])
    while waiting:
        one = waiting.popleft()
        if one in artifacts:
            yield one
        for other in neighbours.get(one, ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
