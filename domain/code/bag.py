"""The terms of a text and how often each occurs, packed: what the ranking of files and chunks reads."""

import sys
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from backstory.domain.search.terms import terms

MOST = 0xFFFF
"""A term that occurs more often counts as this often."""


class Bag(NamedTuple):
    """Terms by their checksums, in order, with a count each. Two terms that share a checksum count as one: among the
    50,000 terms of a large project that befalls one in two."""

    checksums: "array[int]"
    counts: "array[int]"
    length: int
    """The number of terms, each as often as it occurs."""

    def count(self, checksum: int) -> int:
        """How often a term occurs."""
        place = bisect_left(self.checksums, checksum)
        if place < len(self.checksums) and self.checksums[place] == checksum:
            return self.counts[place]
        return 0


def bag_of(text: str) -> Bag:
    """The terms of a text."""
    return bag_from(terms(text))


def bag_from(counted: Mapping[str, int]) -> Bag:
    """A bag of terms that are counted already."""
    found: Counter[int] = Counter()
    for term, count in counted.items():
        found[checksum(term)] += count
    ordered = sorted(found)
    return Bag(
        array("I", ordered),
        array("H", (min(found[one], MOST) for one in ordered)),
        sum(counted.values()),
    )


def pack(bags: Iterable[Bag]) -> bytes:
    """Bags as bytes, the same on every machine."""
    parts = bytearray()
    for bag in bags:
        parts += len(bag.checksums).to_bytes(4, "little") + bag.length.to_bytes(4, "little")
        parts += _little(bag.checksums) + _little(bag.counts)
    return bytes(parts)


def unpack(data: bytes) -> list[Bag]:
    """The bags in bytes. Raises ValueError where these are not whole."""
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "little")
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        middle, end = at + 8 + 4 * size, at + 8 + 6 * size
        if end > len(data):
            raise ValueError("the bytes of a bag end too soon")
        found.append(Bag(_array("I", data[at + 8 : middle]), _array("H", data[middle:end]), length))
        at = end
    return found


def checksum(term: str) -> int:
    """The number that stands for a term."""
    return zlib.crc32(term.encode())


def _little(values: "array[int]") -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _array(code: str, data: bytes) -> "array[int]":
    values: array[int] = array(code)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
