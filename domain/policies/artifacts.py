"""The artifact policy: where artifacts are, what is preloaded on each layer, when what was not used is unloaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from backstory.domain.artifacts.selectors import SELECTORS
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.settings import changed_settings, recorded_fields
from backstory.domain.values import is_number, label, whole_number

Preload = Mapping[int, Sequence[str]]

_PRELOAD = MappingProxyType(
    {
        0: ("current_idea", "clarifications"),
        1: ("current_modules", "architecture_diagrams"),
        2: ("domain_models", "domain_events"),
        3: ("current_requirements", "domain_models"),
        4: ("current_specifications", "current_requirements"),
        5: ("current_code", "current_specifications"),
    }
)


@dataclass(frozen=True)
class ArtifactPolicy:
    """The numbers of a project's artifacts."""

    kind: ClassVar[str] = "artifacts"
    """The kind of policy, as a project's state lists it."""
    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    preload: Preload = field(default_factory=lambda: _PRELOAD)
    """By layer of the project, what is likely to be needed there. Why: layers 0 to 2 are those of the document; by the
    same rule the others have what is written there and what it is written from."""
    share: float = 0.25
    """The share of the window that preloaded artifacts and those of load layer 2 and 3 may take. Why: what is only
    likely to be needed must leave room for the conversation."""
    stale_minutes: float = 30.0
    """The minutes after its last access at which an artifact is unloaded. Why: the document's threshold."""
    most_bytes: int = 1_000_000
    """The most bytes of a file that is loaded. Why: more would fill any window."""
    most_scanned: int = 2_000
    """The most files that one scan registers. Why: a pattern such as `**/*` in the wrong folder is a mistake."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        for name, least in (("version", 1), ("most_bytes", 1), ("most_scanned", 1)):
            whole_number(f"policy.{name}", getattr(self, name), minimum=least)
        if not is_number(self.share) or not 0 < self.share <= 1:
            raise InvalidInput("policy.share", f"must be above 0 and at most 1, got {self.share!r}")
        if not is_number(self.stale_minutes) or self.stale_minutes < 0:
            raise InvalidInput("policy.stale_minutes", f"must not be negative, got {self.stale_minutes!r}")
        object.__setattr__(self, "preload", _checked_preload(self.preload))

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults."""
        changed = changed_settings(self, DEFAULT_ARTIFACTS)
        if "preload" in changed:
            changed["preload"] = {str(layer): list(names) for layer, names in self.preload.items()}
        return changed

    @classmethod
    def chosen(cls, recorded: Mapping[str, Any] | None) -> "ArtifactPolicy":
        """The policy that a project has chosen, or the default."""
        return DEFAULT_ARTIFACTS if recorded is None else cls(**recorded_fields(cls, recorded))


def _checked_preload(given: Mapping[Any, Any]) -> Preload:
    if not isinstance(given, Mapping):
        raise InvalidInput("policy.preload", f"must be a table, got {type(given).__name__}")
    table = dict(_PRELOAD)
    for layer, names in given.items():
        if str(layer) not in "012345" or len(str(layer)) != 1:
            raise InvalidInput("policy.preload", f"has layers 0 to 5, got {layer!r}")
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise InvalidInput("policy.preload", f"must have a list for layer {layer}")
        for name in names:
            if name not in SELECTORS:
                raise InvalidInput("policy.preload", f"{name!r} is none of {', '.join(SELECTORS)}")
        table[int(layer)] = tuple(names)
    return MappingProxyType(table)


DEFAULT_ARTIFACTS = ArtifactPolicy()
