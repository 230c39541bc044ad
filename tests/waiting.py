"""Waiting for the thing itself, for as long as is reasonable."""

import time
from collections.abc import Callable
from typing import Any


def until(condition: Callable[[], Any], patience: float = 60.0) -> Any:
    """What the condition gives once that is true."""
    deadline = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.001)
    return found
