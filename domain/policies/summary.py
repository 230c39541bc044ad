"""When a session is summed up, and how long a summary may be."""

from dataclasses import dataclass

from backstory.domain.errors import InvalidInput
from backstory.domain.values import label

LEAST_TOKENS = 50
"""Below this a title and one short section do not fit, and every summary would be refused."""


@dataclass(frozen=True)
class SummaryPolicy:
    """A summary after so many messages, with so many tokens at most."""

    name: str = "default"
    """What the policy is called in the events that were made with it."""
    version: int = 1
    """To be raised when the same name stands for other numbers."""
    every: int = 15
    """Messages between summaries. Quaid's document says 10 to 15 in one place and 20 in another; 15 is in its own
    example."""
    most_tokens: int = 1000
    """Tokens of the summary's markdown. Quaid's document gives its session summary 500 to 1,000."""

    def __post_init__(self) -> None:
        label("name", self.name)
        for field, least in (("version", 1), ("every", 1), ("most_tokens", LEAST_TOKENS)):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidInput(field, f"must be a whole number of at least {least}")


DEFAULT_SUMMARY = SummaryPolicy()
