"""The test kit for events and commands: given, when, then."""

from backstory.application.testing.kit import (
    BEGINNING,
    FORK,
    SESSION,
    Fact,
    Given,
    Outcome,
    given,
    item,
    part,
    text,
)

__all__ = ["BEGINNING", "FORK", "SESSION", "Fact", "Given", "Outcome", "given", "item", "part", "text"]
