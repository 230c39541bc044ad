"""The sizes of tests that try many cases: few in every run, many with TESTS=long (`make test-long`)."""

import os
from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")
LONG = os.environ.get("TESTS") == "long"


def usually(usual: T, long: T) -> T:
    """The size of a test in every run, or in a long one."""
    return long if LONG else usual


def examples(number: int) -> settings:
    """Settings for a property: so many examples, three hundred times that in a long run."""
    return settings(max_examples=usually(number, number * 300))


PROFILE = "tests"
settings.register_profile(
    PROFILE,
    max_examples=usually(25, 7_500),
    deadline=None,
    # A real database is slow next to what hypothesis expects, and the shared fixtures hold no state of a test.
    suppress_health_check=list(HealthCheck),
    print_blob=True,
    report_multiple_bugs=False,
)
