"""How many examples a property is tried on: some in every run, many more with HYPOTHESIS_PROFILE=long."""

import os

from hypothesis import HealthCheck, settings


def examples(usual: int) -> settings:
    many = os.environ.get("HYPOTHESIS_PROFILE") == "long"
    return settings(
        max_examples=usual * 40 if many else usual,
        deadline=None,
        # A real database is slow next to what hypothesis expects, and the shared fixtures hold no state of a test.
        suppress_health_check=list(HealthCheck),
        print_blob=True,
        report_multiple_bugs=False,
    )
