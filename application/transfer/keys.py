"""Whether an idempotency key comes twice in a stream, however many there are and however far apart."""

import hashlib
import sys
from array import array
from collections import Counter

_SHELVES = 256


class Keys:
    """The keys of a stream, eight bytes each: a short hash, which two keys may share. So a hash that comes twice is
    only a reason to look the keys up."""

    def __init__(self) -> None:
        # By the first byte, so that few are put into a set at a time.
        self._shelves = [array("Q") for _ in range(_SHELVES)]

    def add(self, key: str) -> None:
        found = _short_hash(key)
        self._shelves[found[0]].frombytes(found)

    def __contains__(self, key: str) -> bool:
        """Whether its hash was added, which is certain of no key that was not."""
        found = _short_hash(key)
        return int.from_bytes(found, sys.byteorder) in self._shelves[found[0]]

    def seen_twice(self) -> "Keys":
        """The hashes that were added more than once."""
        twice = Keys()
        for shelf, found in zip(self._shelves, twice._shelves, strict=True):
            if len(set(shelf)) < len(shelf):
                found.extend(value for value, count in Counter(shelf).items() if count > 1)
        return twice

    def __len__(self) -> int:
        return sum(map(len, self._shelves))


def _short_hash(key: str) -> bytes:
    return hashlib.blake2b(key.encode(), digest_size=8).digest()
