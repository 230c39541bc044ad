"""The events that lead to a version: ranges of one or more streams' logs, across backtracks and forks."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.domain.errors import UnknownVersion, VerificationFailed


class BranchPoint(NamedTuple):
    """A version that does not follow from the one before it but from another, maybe of another stream."""

    version: int
    resumed_stream: UUID
    resumed_version: int


class VersionRange(NamedTuple):
    """A run of versions of one stream, both ends included."""

    stream: UUID
    first: int
    last: int


class Lineage(tuple[VersionRange, ...]):
    """The pieces that lead to a version, oldest first."""

    __slots__ = ()

    def owner(self, version: int) -> UUID:
        """The stream that holds the event of this version on this branch."""
        for piece in reversed(self):
            if piece.first <= version <= piece.last:
                return piece.stream
        raise UnknownVersion(f"version {version} is not on this branch.")

    def contains(self, version: int) -> bool:
        return any(piece.first <= version <= piece.last for piece in self)


def lineage(stream: UUID, version: int, branch_points_of: Callable[[UUID], Sequence[BranchPoint]]) -> Lineage:
    """The branch that leads to a version, which a fork may have inherited. `branch_points_of` gives a stream's
    branch points in the order of their versions."""
    pieces: list[VersionRange] = []
    passed: set[UUID] = set()
    while True:
        known = branch_points_of(stream)
        if version < first_own_version(known, stream):
            if stream in passed:
                raise VerificationFailed(f"branch_points, version {known[0].version}: lead in a circle.")
            passed.add(stream)
            stream = known[0].resumed_stream
            continue
        branch_points = [branch_point for branch_point in known if branch_point.version <= version]
        if not branch_points:
            pieces.append(VersionRange(stream, 1, version))
            return Lineage(reversed(pieces))
        branch_point = branch_points[-1]
        if branch_point.resumed_version >= branch_point.version:
            raise VerificationFailed(
                f"branch_points, version {branch_point.version}: resumes a version that is not before it."
            )
        pieces.append(VersionRange(stream, branch_point.version, version))
        stream, version = branch_point.resumed_stream, branch_point.resumed_version


def first_own_version(branch_points: Sequence[BranchPoint], stream: UUID) -> int:
    """A stream's first own event: 1, or the version after the one it was forked at."""
    return branch_points[0].version if branch_points and branch_points[0].resumed_stream != stream else 1
