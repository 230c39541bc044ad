"""The memory policy: the first importance of memories by kind, and when a session becomes a fragment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from backstory.domain.errors import InvalidInput
from backstory.domain.memory.values import MEMORY_KINDS
from backstory.domain.policies.settings import changed_settings
from backstory.domain.values import is_number, label, whole_number


@dataclass(frozen=True)
class MemoryPolicy:
    """The numbers of a project's memory."""

    kind: ClassVar[str] = "memory"
    """The kind of policy, as a project's state lists it."""
    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    importance: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "decision": 0.9,
                "preference": 0.8,
                "lesson": 0.8,
                "knowledge": 0.7,
                "fragment": 0.6,
                "note": 0.5,
            }
        )
    )
    """The first importance of a memory. Why: decisions bind as in a session; preferences and lessons start HOT, since
    they apply to whatever comes next; a fragment tells what is over."""
    automatic: bool = True
    """Whether sessions become memory by themselves: at their end, and after every `archive_every` messages. Why: what
    has to be asked for is forgotten."""
    archive_every: int = 100
    """The number of messages after which a part of a session becomes a fragment. Why: Quaid's document archives every
    100 messages."""
    least_messages: int = 6
    """The least number of messages of a fragment. Why: a greeting and its answer are no topic."""
    least_important: int = 2
    """The least number of decisions and of messages from `important` on among them. Why: a fragment is made of talk
    that decided or found something; of the rest the session itself is record enough."""
    important: float = 0.8
    """The importance from which a message counts as such. Why: the threshold of HOT."""
    most_tokens: int = 1000
    """The most tokens of a fragment's text. Why: as many as a session summary has."""
    notice: bool = True
    """Whether lessons, preferences and facts are looked for in messages, too. Why: people say them once, and do not
    think of recording them."""
    most_noticed: int = 10
    """The most of them that are kept of one part of a session. Why: a memory of everything finds nothing."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        for name, least in (
            ("version", 1),
            ("archive_every", 1),
            ("least_messages", 1),
            ("least_important", 0),
            ("most_tokens", 50),
            ("most_noticed", 0),
        ):
            whole_number(f"policy.{name}", getattr(self, name), minimum=least)
        for name in ("automatic", "notice"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(f"policy.{name}", f"must be true or false, got {getattr(self, name)!r}")
        if not is_number(self.important) or not 0 <= self.important <= 1:
            raise InvalidInput("policy.important", f"must be from 0 to 1, got {self.important!r}")
        unknown = set(self.importance) ^ set(MEMORY_KINDS)
        if unknown or not all(is_number(one) and 0 <= one <= 1 for one in self.importance.values()):
            raise InvalidInput(
                "policy.importance", f"must have a number from 0 to 1 for each of {', '.join(MEMORY_KINDS)}"
            )
        object.__setattr__(self, "importance", MappingProxyType(dict(self.importance)))

    def should_archive(self, messages: int, decisions: int, important: int) -> bool:
        """Whether a part of a session with so many messages, decisions and important messages becomes a fragment."""
        return messages >= self.least_messages and decisions + important >= self.least_important

    def settings(self) -> dict[str, Any]:
        """The numbers that differ from the defaults."""
        return changed_settings(self, DEFAULT_MEMORY)


DEFAULT_MEMORY = MemoryPolicy()
