"""Waiting for the thing itself, for as long as is reasonable."""

import time
from collections.abc import Callable
from typing import Any

from backstory.domain.errors import ServerUnavailable


def until(condition: Callable[[], Any], patience: float = 60.0) -> Any:
    """What the condition gives once that is true."""
    deadline = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.001)
    return found


def until_available(work: Callable[[], Any], patience: float = 60.0) -> Any:
    """What the work gives once there is a server again. For stores with little patience on busy machines."""

    def attempt() -> tuple[Any] | None:
        try:
            return (work(),)
        except ServerUnavailable:
            return None

    return until(attempt, patience)[0]
