"""Findings: what is wrong with a record, and the error that ends a check at the first one."""

from collections.abc import Iterable
from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that is wrong."""

    where: str
    """The table or field, and the row: `items.tokens, item 5`."""
    what: str
    line: int | None = None
    """The line, in an export."""


class IntegrityError(Exception):
    """Raised where a check fails."""

    def __init__(self, where: str, what: str, line: int | None = None) -> None:
        super().__init__(where, what, line)
        self.finding = Finding(where, what, line)


def require_none(findings: Iterable[Finding]) -> None:
    """Raises for the first finding."""
    for finding in findings:
        raise IntegrityError(*finding)
