"""`backstory retention`: how long the sessions of each project are kept."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.application.retention.rules import RetentionRule
from backstory.domain.errors import InvalidInput, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, DryRun, Json, Limit
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.transfer import RetentionRuleDocument, RetentionStepDocument
from backstory.interfaces.wording import counted, one_line, short_id

Project = Annotated[str, typer.Argument(metavar="PROJECT", help="The project.", show_default=False)]


@command(
    "retention set",
    Manual(
        examples=(
            "backstory retention set orders --after 90 --purge-to /var/archive/orders --zstd",
            "backstory retention set chats --after 30 --erase --actor dpo",
            "backstory retention set orders --keep",
        ),
        document=RetentionRuleDocument,
        notes=(
            "A rule applies to sessions that have ended, by the time of their last event. Purged sessions are "
            "exported to the folder, audited and removed. Erased sessions keep their events but lose all contents, "
            "and the memories made from them go too, as do memories that were superseded or forgotten as long ago. A "
            "rule replaces the one before it. `backstory retention run` and workers apply it."
        ),
    ),
)
def set_retention(
    context: typer.Context,
    project: Project,
    after: Annotated[
        int | None, typer.Option("--after", metavar="DAYS", help="Days after the last event.")
    ] = None,
    purge_to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Export sessions to this folder and purge them.")
    ] = None,
    zstd: Annotated[bool, typer.Option("--zstd", help="Compress the exports.")] = False,
    erase: Annotated[bool, typer.Option("--erase", help="Erase the contents of sessions.")] = False,
    keep_memories: Annotated[
        bool, typer.Option("--keep-memories", help="Keep memories that were made from erased sessions.")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep sessions. Ends another rule.")] = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Set how long a project's ended sessions are kept."""
    if [purge_to is not None, erase, keep].count(True) != 1:
        raise InvalidInput("retention", "must be one of --purge-to, --erase and --keep")
    run = run_of(context)
    folder = None if purge_to is None else purge_to.absolute()
    with run.store() as store:
        rule = store.set_retention(
            project,
            after,
            purge_to=folder,
            erase=erase,
            keep_memories=keep_memories,
            zstd=zstd,
            by=actor,
        )
        if not store.sessions(project=rule.project, limit=1):
            run.notice("no session belongs to this project yet", of=rule.project)
    if json:
        run.document(RetentionRuleDocument.model_validate(rule))
    else:
        run.out.print(f"{one_line(rule.project)}: {_in_words(rule)}", soft_wrap=True)


@command(
    "retention list",
    Manual(
        examples=("backstory retention list", "backstory retention list --history --json"),
        document=RetentionRuleDocument,
        lines=True,
    ),
)
def list_retention(
    context: typer.Context,
    history: Annotated[bool, typer.Option("--history", help="Also earlier rules, newest first.")] = False,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """List the retention rules."""
    run = run_of(context)
    with run.store() as store:
        rules = store.retention(history=history)
    if json:
        for rule in rules[:limit]:
            run.line(RetentionRuleDocument.model_validate(rule))
        return
    if not rules:
        run.out.print(Text("no rules: every session is kept", "quiet"))
        return
    rows: list[list[Cell]] = [
        [
            Text(one_line(rule.project), "heading"),
            f"{rule.set_at:%Y-%m-%d %H:%M}",
            one_line(rule.set_by or ""),
            _in_words(rule),
        ]
        for rule in rules
    ]
    print_table(run.out, ("project", "set", "by", "rule"), rows, limit)


@command(
    "retention run",
    Manual(
        examples=("backstory retention run --dry-run", "backstory retention run --json"),
        document=RetentionStepDocument,
        lines=True,
        fails=(VerificationFailed,),
        notes=(
            "A session that cannot be purged, such as one with forks, is reported, and the run continues. A session "
            "whose record is not intact is not purged and stops the run."
        ),
    ),
)
def run_retention(
    context: typer.Context,
    dry_run: DryRun = False,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Purge or erase the sessions that are due."""
    run = run_of(context)
    with run.store() as store:
        steps = store.apply_retention(dry_run=dry_run)
    if json:
        for step in steps[:limit]:
            run.line(RetentionStepDocument.model_validate(step))
        return
    rows: list[list[Cell]] = [
        [
            counted(len(step.memories), "memory") if step.memories else short_id(step.session),
            one_line(step.project),
            step.action,
            f"{step.last_activity:%Y-%m-%d}",
            "due" if dry_run else "done" if step.done else "not done",
            one_line(step.why_not or (f"exported to {step.file}" if step.file else "")),
        ]
        for step in steps
    ]
    if rows:
        print_table(run.out, ("session", "project", "action", "last event", "state", ""), rows, limit)
    run.out.print(Text(f"{counted(len(steps), 'session')} due", "quiet"))


def _in_words(rule: RetentionRule) -> str:
    if rule.action == "keep":
        return "kept"
    days = counted(rule.after_days or 0, "day")
    if rule.action == "erase":
        memories = ", memories kept" if rule.keeps_memories else ""
        return f"contents erased {days} after a session's end{memories}"
    packed = ", compressed" if rule.compressed else ""
    return f"exported to {rule.directory}{packed} and purged {days} after a session's end"
