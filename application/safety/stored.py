"""The secrets that a stream holds, by what its events were flagged with."""

from collections import Counter
from collections.abc import Iterable, Iterator
from uuid import UUID

from backstory.application.runtime import Runtime
from backstory.application.safety.screen import STORED, found_in
from backstory.domain.effects import Effects
from backstory.domain.errors import Refused
from backstory.domain.log.references import references_of
from backstory.infrastructure.postgres.queries import query


def require_no_secrets(runtime: Runtime, streams: Iterable[UUID]) -> None:
    """Refuses streams that hold secrets, on whatever branch. What was cleared or erased does not count."""
    kinds: Counter[str] = Counter()
    items = 0
    for stream in streams:
        for found in _stored(runtime, stream):
            kinds.update(found)
            items += 1
    if items:
        named = ", ".join(sorted(kinds))
        what = "1 text holds" if items == 1 else f"{items:,} texts hold"
        raise Refused(f"{what} secrets ({named}): erase or clear them first, or ask for `secrets`.")


def _stored(runtime: Runtime, stream: UUID) -> list[set[str]]:
    """The kinds of secrets in each of a stream's texts that has any."""
    suspected = _suspected(runtime, stream)
    if not suspected:
        return []
    found = []
    for row, contents in runtime.log.rows_with_contents(stream, sorted(suspected)):
        # Where a tool said it, the flag says so; the text is looked through again, since some of it may be erased.
        types = {ref.part: ref.media_type for ref in references_of(row.state)}
        kinds = {
            secret.kind
            for part, data in contents.items()
            for secret in found_in(data, types[part], of_tool=True)
        }
        if kinds & suspected[row.originator_version]:
            found.append(kinds & suspected[row.originator_version])
    return found


def _flags(version: int, effects: Effects) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The flags of the text that an event holds, with its item."""
    if effects.brings is not None:
        yield version, effects.brings.flags
    for grown in (effects.extends, effects.revises):
        if grown is not None:
            yield grown.item, grown.flags


def _suspected(runtime: Runtime, stream: UUID) -> dict[int, set[str]]:
    """By version, the kinds of secrets that its text was flagged with and not cleared of."""
    rows = runtime.database.read(lambda c: c.execute(query("events_about_secrets"), (stream,)).fetchall())
    suspected: dict[int, set[str]] = {}
    texts: dict[int, list[int]] = {}
    for version, encoded in rows:
        effects = Effects.decode(encoded)
        for item, flags in _flags(version, effects):
            kinds = {flag.removeprefix(STORED) for flag in flags if flag.startswith(STORED)}
            suspected.setdefault(version, set()).update(kinds)
            texts.setdefault(item, []).append(version)
        if effects.judges is not None:
            cleared = {flag.removeprefix(STORED) for flag in effects.judges.cleared}
            for one in effects.judges.items:
                for text in texts.get(one, ()):
                    suspected[text] -= cleared
    return {version: kinds for version, kinds in suspected.items() if kinds}
