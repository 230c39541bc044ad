"""The pruning policy: an item's points, 0 to 100, and the first threshold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.settings import changed_settings, recorded_fields
from backstory.domain.values import label, listed, whole_number

TYPE_POINTS = MappingProxyType(
    {
        "system_prompt": 20,
        "task": 20,
        "constraint": 18,
        "goal": 18,
        "decision": 18,
        "code": 15,
        "artifact": 15,
        "error": 15,
        "test_result": 12,
        "question": 12,
        "action": 12,
        "summary": 12,
        "pull_request": 12,
        "file_structure": 12,
        "user_message": 12,
        "message": 8,
        "tool_exchange": 8,
        "memory": 8,
        "prd_section": 8,
        "example": 5,
        "template": 5,
        "documentation": 5,
    }
)
"""The Moderator document's numbers, for our types: its current task 20, acceptance criteria 18 (rules, goals and
decisions bind as much), active code 15, recent feedback 12, task history 8, examples 5, anything else 0."""

RECENCY_POINTS: Mapping[float, int] = MappingProxyType({5: 30, 30: 20, 120: 10})


@dataclass(frozen=True)
class PruningPolicy:
    """The numbers of a prune. They are the Moderator document's, but for the threshold: its tree lowers that when too
    much is kept, which would keep more; here it rises."""

    kind: ClassVar[str] = "pruning"
    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    recency: Mapping[float, int] = field(default_factory=lambda: RECENCY_POINTS)
    """Points by age: an item accessed less than so many minutes ago has these points; the smallest limit that applies
    counts. Why: Moderator's."""
    current_task: int = 40
    """Points of items of the current task. Why: Moderator's."""
    dependency: int = 25
    """Points of items of a task or file that the current task depends on. Why: Moderator's."""
    types: Mapping[str, int] = field(default_factory=lambda: TYPE_POINTS)
    """Points by type. Why: Moderator's, mapped to our types. Constraints, goals and decisions have the points of its
    acceptance criteria."""
    reference: int = 2
    """Points for each live item that refers to it and for each access. Why: Moderator's."""
    references_most: int = 10
    """The most points for references. Why: Moderator's."""
    threshold: int = 20
    """The first threshold. Why: an item with only the points of its type is not worth keeping."""
    threshold_step: int = 5
    """The step by which the threshold rises until the kept items fit. Why: most points are multiples of it."""
    feedback: int = 5
    """The number of newest messages of kind `feedback` that are kept if relevant. Why: Moderator's."""
    recent_tasks: int = 3
    """The number of newest completed tasks whose items are kept if relevant. Why: Moderator's."""
    tasks_remembered: int = 5
    """The number of newest completed tasks whose items are not pruned outright. Why: Moderator's."""
    repeated_tokens: int = 20
    """The least tokens of an item that is always pruned when another one has the same content. Why: Moderator prunes
    what is redundant; a shorter text, such as an answer of one word, means something else each time."""
    relevant: tuple[str, ...] = ("pull_request", "file_structure")
    """Types that are kept if relevant, whatever the current task. Why: Moderator's pull request context and file
    structure."""
    disposable: tuple[str, ...] = ("debug", "log", "scratch", "temporary")
    """Types that are always pruned. Why: Moderator's temporary debug information."""
    optional: tuple[str, ...] = ("example", "template", "documentation", "guideline", "metric")
    """Types that are kept only if there is space. Why: Moderator's third priority."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        for name in ("types", "recency"):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise InvalidInput(f"policy.{name}", "must map names to points")
            for key, points in given.items():
                whole_number(f"policy.{name}.{key}", points, minimum=0)
            object.__setattr__(self, name, MappingProxyType(dict(given)))
        if not all(isinstance(minutes, int | float) for minutes in self.recency):
            raise InvalidInput("policy.recency", "must give points by minutes")
        for name in ("relevant", "disposable", "optional"):
            named = tuple(
                label(f"policy.{name}", one) for one in listed(f"policy.{name}", getattr(self, name))
            )
            object.__setattr__(self, name, named)
        for name, least in _COUNTS.items():
            whole_number(f"policy.{name}", getattr(self, name), minimum=least)
        most = (
            max(self.recency.values(), default=0)
            + max(self.current_task, self.dependency)
            + max(self.types.values(), default=0)
            + self.references_most
        )
        if most > 100:
            raise InvalidInput("policy.types", f"must not give more than 100 points in all, gives {most}")

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults, as JSON."""
        return changed_settings(self, DEFAULT_PRUNING)

    @classmethod
    def chosen(cls, chosen: dict[str, Any] | None) -> "PruningPolicy":
        """The policy that a session chose, from `state.policies`; the default one where it chose none."""
        if chosen is None:
            return DEFAULT_PRUNING
        recorded = recorded_fields(cls, chosen)
        if "recency" in recorded:
            recorded["recency"] = {float(minutes): points for minutes, points in recorded["recency"].items()}
        return cls(**recorded)


_COUNTS = {
    "version": 1,
    "current_task": 0,
    "dependency": 0,
    "reference": 0,
    "references_most": 0,
    "threshold": 0,
    "threshold_step": 1,
    "feedback": 0,
    "repeated_tokens": 0,
    "recent_tasks": 0,
    "tasks_remembered": 0,
}

DEFAULT_PRUNING = PruningPolicy()
