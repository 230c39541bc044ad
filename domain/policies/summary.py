"""The summary policy: the interval between summaries, and their length."""

from dataclasses import dataclass

from backstory.domain.values import label, whole_number

LEAST_TOKENS = 50
"""Below this a title and one short section do not fit, and every summary would be refused."""


@dataclass(frozen=True)
class SummaryPolicy:
    """A summary after so many messages, with so many tokens at most."""

    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which numbers applied."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change; old events keep their own."""
    every: int = 15
    """Messages between summaries. Why: Quaid's document says 10 to 15 in one place and 20 in another; 15 is in its own
    example."""
    most_tokens: int = 1000
    """The most tokens of the summary's markdown. Why: Quaid's document gives its session summary 500 to 1,000."""

    def __post_init__(self) -> None:
        label("name", self.name)
        for field, least in (("version", 1), ("every", 1), ("most_tokens", LEAST_TOKENS)):
            whole_number(field, getattr(self, field), minimum=least)


DEFAULT_SUMMARY = SummaryPolicy()
