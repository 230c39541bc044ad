"""Values in batches that may be held at a time."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_batches(values: Iterable[T], size: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """The values in their order, together of no more than a size. One that is larger comes alone."""
    batch: list[T] = []
    held = 0
    for value in values:
        more = size(value)
        if batch and held + more > most:
            yield batch
            batch, held = [], 0
        batch.append(value)
        held += more
    if batch:
        yield batch
