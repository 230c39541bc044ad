"""Limits on how often a key may ask."""

import math
import threading
import time
from collections import OrderedDict

from backstory.domain.errors import TooManyRequests

BURST_SECONDS = 5.0
"""A key that was quiet may make the requests of so many seconds at once."""
MOST_HELD = 10_000


class Rates:
    """Counts requests by name: each has a bucket that fills steadily and that every request takes from."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._full = max(1.0, rate * BURST_SECONDS)
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def count(self, name: str) -> None:
        """Counts a request. Raises TooManyRequests when there were too many."""
        if not self._rate:
            return
        now = time.monotonic()
        with self._lock:
            left, at = self._buckets.pop(name, (self._full, now))
            left = min(self._full, left + (now - at) * self._rate)
            self._buckets[name] = (left - 1 if left >= 1 else left, now)
            if len(self._buckets) > MOST_HELD:
                self._buckets.popitem(last=False)
        if left < 1:
            raise TooManyRequests(math.ceil((1 - left) / self._rate))
