"""How much a new item matters when the caller does not say, and the tier that follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from backstory.domain.values import Tier


@dataclass(frozen=True)
class ImportancePolicy:
    """First importance by type, and for messages by role, with the thresholds of the tiers."""

    name: str = "default"
    version: int = 1
    hot: float = 0.8
    warm: float = 0.4
    other: float = 0.5
    by_type: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "task": 1.0,
                "decision": 0.9,
                "goal": 0.9,
                "constraint": 0.9,
                "question": 0.8,
                "action": 0.7,
                "error": 0.8,
                "code": 0.7,
                "tool_exchange": 0.5,
                "test_result": 0.6,
                "prd_section": 0.6,
                "summary": 0.8,
            }
        )
    )
    by_role: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({"user": 0.7, "agent": 0.6, "system": 0.5})
    )

    def first_importance(self, type_: str, role: str | None = None) -> float:
        if type_ == "message" and role is not None:
            return self.by_role.get(role, self.other)
        return self.by_type.get(type_, self.other)

    def tier(self, score: float) -> Tier:
        return Tier.HOT if score >= self.hot else Tier.WARM if score >= self.warm else Tier.COLD


DEFAULT_IMPORTANCE = ImportancePolicy()
