"""Sets of versions written short: ``3-10,12`` names nine of them. A manifest of hundreds of items stays small."""

from collections.abc import Iterable

from backstory.domain.errors import InvalidInput
from backstory.domain.values import LARGEST


def as_ranges(numbers: Iterable[int]) -> str:
    """The numbers, each once and in order."""
    ordered = sorted(set(numbers))
    if not ordered:
        return ""
    runs: list[str] = []
    first = last = ordered[0]
    for number in ordered[1:]:
        if number != last + 1:
            runs.append(str(last) if first == last else f"{first}-{last}")
            first = number
        last = number
    runs.append(str(last) if first == last else f"{first}-{last}")
    return ",".join(runs)


def from_ranges(text: str) -> tuple[int, ...]:
    """The numbers that `as_ranges` wrote, in order."""
    numbers: list[int] = []
    for run in text.split(",") if text else ():
        first, _, last = run.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal() or int(last or first) > LARGEST:
            raise InvalidInput("ranges", f"must be numbers and ranges as in 3-10,12, got {text!r}")
        numbers.extend(range(int(first), int(last or first) + 1))
    return tuple(numbers)
