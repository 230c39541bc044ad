"""`backstory retention`: how long the sessions of each project are kept."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.application.transfer.retention import RetentionRule
from backstory.domain.errors import InvalidInput, VerificationFailed
from backstory.interfaces.cli.commands import Actor, Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.transfer import RetentionRuleDocument, RetentionStepDocument
from backstory.interfaces.wording import counted, one_line, short_id

Project = Annotated[
    str, typer.Argument(metavar="PROJECT", help="The project that sessions name.", show_default=False)
]


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
            "It is about sessions that have ended, counted from their last event. Purged ones are exported to the "
            "directory, audited and removed; of erased ones the events stay, and every proof, but no words. A rule "
            "takes the place of the one before it. Nothing happens yet: `backstory retention run` and workers apply it."
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
    keep: Annotated[bool, typer.Option("--keep", help="Keep sessions: ends another rule.")] = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Say what becomes of a project's ended sessions, and when."""
    if [purge_to is not None, erase, keep].count(True) != 1:
        raise InvalidInput("retention", "must be one of --purge-to, --erase and --keep")
    run = run_of(context)
    folder = None if purge_to is None else purge_to.absolute()
    with run.store() as store:
        rule = store.set_retention(project, after, purge_to=folder, erase=erase, zstd=zstd, by=actor)
        if not store.sessions(project=rule.project, limit=1):
            run.notice("no session belongs to this project yet", of=one_line(rule.project))
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
    history: Annotated[
        bool, typer.Option("--history", help="Also the rules that held before, newest first.")
    ] = False,
    json: Json = False,
) -> None:
    """List the retention rules that hold."""
    run = run_of(context)
    with run.store() as store:
        rules = store.retention(history=history)
    if json:
        for rule in rules:
            run.line(RetentionRuleDocument.model_validate(rule))
        return
    if not rules:
        run.out.print(Text("no rules: every session is kept", "quiet"))
        return
    for rule in rules:
        by = f" by {one_line(rule.set_by)}" if rule.set_by else ""
        run.out.print(
            Text.assemble(
                (one_line(rule.project), "heading"),
                f": {_in_words(rule)}",
                (f"  set {rule.set_at:%Y-%m-%d %H:%M}{by}", "quiet"),
            ),
            soft_wrap=True,
        )


@command(
    "retention run",
    Manual(
        examples=("backstory retention run --dry-run", "backstory retention run --json"),
        document=RetentionStepDocument,
        lines=True,
        fails=(VerificationFailed,),
        notes=(
            "What cannot be done for one session, such as one that others began in, is said and does not hold up the "
            "others. A record that turns out not to be intact stops the run: it is not purged."
        ),
    ),
)
def run_retention(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what is due.")] = False,
    json: Json = False,
) -> None:
    """Purge or erase what is past its time."""
    run = run_of(context)
    with run.store() as store:
        steps = store.apply_retention(dry_run=dry_run)
    if json:
        for step in steps:
            run.line(RetentionStepDocument.model_validate(step))
        return
    for step in steps:
        said = "due" if dry_run else "done" if step.done else f"not done: {step.why_not}"
        kept = "" if step.file is None else f", kept in {step.file}"
        when = f"{step.last_activity:%Y-%m-%d}"
        run.out.print(
            f"{short_id(step.session)}  {one_line(step.project)}  {step.action}  {when}  {said}{kept}"
        )
    run.out.print(Text(f"{counted(len(steps), 'session')} due", "quiet"))


def _in_words(rule: RetentionRule) -> str:
    if rule.action == "keep":
        return "kept"
    days = counted(rule.after_days or 0, "day")
    if rule.action == "erase":
        return f"contents erased {days} after a session's end"
    packed = ", compressed" if rule.compressed else ""
    return f"exported to {rule.directory}{packed} and purged {days} after a session's end"
