"""Retention rules. A rule belongs to a project and is never changed; a newer one replaces it, so that the history of
rules is kept. Any number of workers may apply them at any time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple
from uuid import UUID

from backstory.application.contents.erasure import erase_everything, erase_versions
from backstory.application.contents.reader import ContentReader
from backstory.application.memory.streams import newest_version
from backstory.application.retention.purge import purge, require_no_forks
from backstory.application.runtime import Runtime
from backstory.application.writing.requests import Provenance
from backstory.domain.commands.memory import project_id
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.values import aware, from_microseconds, label, microseconds, whole_number
from backstory.infrastructure.postgres.queries import query

Action = Literal["purge", "erase", "keep"]
Progress = Callable[[int, int], None]
"""Called with the number of sessions done and of those that are due."""

ACTOR = "retention"
LONGEST_DAYS = 36_500


class RetentionRule(NamedTuple):
    """The fate of a project's ended sessions, a number of days after their last event. Purged sessions are exported
    to the directory first. `keep` ends an earlier rule."""

    project: str
    action: Action
    after_days: int | None
    directory: Path | None
    compressed: bool
    set_at: datetime
    set_by: str | None
    keeps_memories: bool = False
    """Whether memories that were made from erased sessions are kept."""


class RetentionStep(NamedTuple):
    """A session that is due, or a project with memories that are: those that were superseded or forgotten that long
    ago. `done`: it is purged, or its contents are erased. `why_not`: the reason why not."""

    session: UUID
    project: str
    action: Action
    last_activity: datetime
    done: bool
    file: Path | None = None
    why_not: str | None = None
    memories: tuple[int, ...] = ()
    """The memories of the project `session` that are due; none for a session."""


def set_rule(
    runtime: Runtime,
    project: str,
    after_days: int | None,
    *,
    purge_to: Path | str | None,
    erase: bool,
    keep_memories: bool,
    zstd: bool,
    by: str | None,
) -> RetentionRule:
    """Sets a project's rule; see ContextStore.set_retention."""
    label("project", project)
    if by is not None:
        label("by", by)
    action: Action = "purge" if purge_to is not None else "erase" if erase else "keep"
    if purge_to is not None and erase:
        raise InvalidInput("erase", "has no use where sessions are purged")
    if action == "keep" and (after_days is not None or zstd):
        raise InvalidInput("after_days", "needs something that is to happen then: purge_to or erase")
    if action != "keep":
        if after_days is None:
            raise InvalidInput("after_days", "must be given")
        whole_number("after_days", after_days, minimum=0, maximum=LONGEST_DAYS)
    directory = None if purge_to is None else Path(purge_to)
    if directory is not None and (not directory.is_absolute() or "\0" in str(directory)):
        raise InvalidInput(
            "purge_to", f"must be an absolute path, since workers run anywhere, got {str(directory)!r}"
        )
    if not isinstance(keep_memories, bool):
        raise InvalidInput("keep_memories", f"must be true or false, got {keep_memories!r}")
    if keep_memories and action != "erase":
        raise InvalidInput("keep_memories", "is for sessions that are erased: a purge leaves memories alone")
    if zstd and action != "purge":
        raise InvalidInput("zstd", "is for what is purged")
    folder = None if directory is None else str(directory)
    values = (project, action, after_days, folder, zstd, by, keep_memories)
    runtime.database.repeat(lambda c: c.execute(query("set_retention"), values), certain=False)
    return next(rule for rule in read_rules(runtime, everything=True) if rule.project == project)


def read_rules(runtime: Runtime, *, everything: bool = False) -> list[RetentionRule]:
    """The rules in force, or all, the newest of each project first."""
    rows = runtime.database.read(lambda c: c.execute(query("retention_rules")).fetchall())
    rules = [
        RetentionRule._make((*row[:3], None if row[3] is None else Path(row[3]), *row[4:])) for row in rows
    ]
    if everything:
        return rules
    newest: dict[str, RetentionRule] = {}
    for rule in rules:
        newest.setdefault(rule.project, rule)
    return [rule for rule in newest.values() if rule.action != "keep"]


def apply_rules(
    runtime: Runtime,
    as_of: datetime | None = None,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> tuple[RetentionStep, ...]:
    """Applies the rules; see ContextStore.apply_retention."""
    now = aware("as_of", as_of) or datetime.now(UTC)
    due = [
        step
        for rule in read_rules(runtime)
        for step in (*_due(runtime, rule, now), *_due_memories(runtime, rule, now))
    ]
    done = []
    for number, (rule, step) in enumerate(due, 1):
        done.append(step if dry_run else _applied(runtime, rule, step))
        if progress is not None:
            progress(number, len(due))
    return tuple(done)


def _due(runtime: Runtime, rule: RetentionRule, now: datetime) -> list[tuple[RetentionRule, RetentionStep]]:
    assert rule.after_days is not None
    try:
        before = now - timedelta(days=rule.after_days)
    except OverflowError:
        return []
    wanted = {"project": rule.project, "before": before, "whole": rule.action == "purge"}
    rows = runtime.database.read(lambda c: c.execute(query("sessions_past_retention"), wanted).fetchall())
    return [
        (rule, RetentionStep(stream, rule.project, rule.action, recorded, done=False))
        for stream, recorded in rows
    ]


def _due_memories(
    runtime: Runtime, rule: RetentionRule, now: datetime
) -> Iterator[tuple[RetentionRule, RetentionStep]]:
    """The memories of a project that stopped holding long ago and still have their words."""
    project = project_id(rule.project)
    version = newest_version(runtime, project) if rule.action == "erase" else 0
    if not version or rule.keeps_memories:
        return
    assert rule.after_days is not None
    before = microseconds(now) - rule.after_days * 86_400_000_000
    notes = runtime.reader.past(project, version).memories
    gone = {id: note.left for id, note in notes.items() if note.left is not None and note.left < before}
    reader = ContentReader(runtime, Lineage([VersionRange(project, 1, version)]))
    ids = sorted({place[0] for place in reader.present(gone)})
    if ids:
        last = from_microseconds(max(gone[id] for id in ids))
        yield rule, RetentionStep(project, rule.project, rule.action, last, done=False, memories=tuple(ids))


def _applied(runtime: Runtime, rule: RetentionRule, step: RetentionStep) -> RetentionStep:
    """Applies a rule to one session. A failure does not stop the others."""
    try:
        if rule.action == "purge":
            assert rule.directory is not None
            rule.directory.mkdir(parents=True, exist_ok=True)
            path = rule.directory / f"{step.session}.jsonl{'.zst' if rule.compressed else ''}"
            # A file that is there is of a purge that was interrupted, or of an earlier time.
            left = purge(runtime, step.session, path, zstd=rule.compressed, overwrite=True)
            return step._replace(done=True, file=left.file)
        why = f"retention: contents of project {rule.project} are kept for {rule.after_days} days"
        if step.memories:
            erase_versions(runtime, step.session, step.memories, why, Provenance(actor=ACTOR))
            return step._replace(done=True)
        require_no_forks(runtime, step.session)
        erase_everything(
            runtime, step.session, why, Provenance(actor=ACTOR), keep_memories=rule.keeps_memories
        )
        return step._replace(done=True)
    except NotFound:
        return step._replace(why_not="it is gone already")
    except (Refused, Conflict, InvalidInput) as refused:
        return step._replace(why_not=str(refused))
    except OSError as error:
        return step._replace(why_not=f"{rule.directory}: {error.strerror}")
