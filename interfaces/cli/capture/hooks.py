"""`backstory capture`: the hooks of coding agents."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from backstory.domain.errors import BackstoryError, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.layout import print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.capture import (
    CaptureStatusDocument,
    HooksChangeDocument,
    HooksStatusDocument,
    RecapMadeDocument,
)
from backstory.interfaces.wording import counted, one_line, size

if TYPE_CHECKING:
    from backstory.application.capture.install import Change

AgentName = Literal["claude-code", "codex"]
Agent = Annotated[
    AgentName, typer.Argument(metavar="AGENT", help="claude-code or codex.", show_default=False)
]
InProject = Annotated[
    bool,
    typer.Option("--project/--user", help="The settings of the project in this folder, or of the user."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the change and make none.")]


@command(
    "capture install",
    Manual(
        examples=(
            "backstory capture install claude-code",
            "backstory capture install claude-code --project",
            "backstory capture install codex --dry-run",
        ),
        document=HooksChangeDocument,
        fails=(Refused,),
        notes=(
            "Shows the difference and writes it. Nothing else in the file changes; a second time changes nothing. The "
            "settings are those of the user, or with `--project` of the project in this folder. The hook notes that a "
            "session went on, for `backstory watch`, and never what was said. After a compaction it gives the agent "
            "what the summary left out: see `backstory uncompact`. It asks no model and never stops the agent. Codex "
            "runs a new hook when you have trusted it with `/hooks`."
        ),
    ),
)
def install(
    context: typer.Context,
    agent: Agent,
    project: InProject = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Put hooks into the settings of a coding agent."""
    from backstory.application.capture.install import place_hook, planned_install, write
    from backstory.application.capture.places import hook_settings, hooks_folder

    run = run_of(context)
    change = planned_install(
        agent, hook_settings(agent, "project" if project else "user", Path.cwd()), hooks_folder()
    )
    if not json:
        _show(run, change)
    if not dry_run:
        place_hook(hooks_folder())
        if change.changes:
            write(change)
    if json:
        run.document(_document(agent, change))
    elif not change.changes:
        run.out.print(Text(f"the hooks are in {change.file}", "quiet"))
    elif agent == "codex" and not dry_run:
        run.out.print(Text("Codex runs them when you have trusted them: type /hooks there", "quiet"))


@command(
    "capture remove",
    Manual(
        examples=(
            "backstory capture remove claude-code",
            "backstory capture remove codex --project --dry-run",
        ),
        document=HooksChangeDocument,
        fails=(Refused,),
        notes=(
            "Takes out what `capture install` put in, and nothing else. When no hook of the user is left, the hook's "
            "folder is removed with what was noted. What was imported stays."
        ),
    ),
)
def remove(
    context: typer.Context,
    agent: Agent,
    project: InProject = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take the hooks out of the settings of a coding agent."""
    from backstory.application.capture.install import installed_events, planned_removal, remove_hook, write
    from backstory.application.capture.places import AGENTS, hook_settings, hooks_folder

    run = run_of(context)
    change = planned_removal(
        hook_settings(agent, "project" if project else "user", Path.cwd()), hooks_folder()
    )
    if not json:
        _show(run, change)
    if change.changes and not dry_run:
        write(change)
        users = [hook_settings(one, "user", Path.cwd()) for one in AGENTS]
        if not project and not any(installed_events(file, hooks_folder()) for file in users):
            # Hooks of projects that are left find no script, and end.
            remove_hook(hooks_folder())
    if json:
        run.document(_document(agent, change))
    elif not change.changes:
        run.out.print(Text(f"there are no hooks in {change.file}", "quiet"))


@command(
    "capture status",
    Manual(
        examples=("backstory capture status", "backstory capture status --json"),
        document=CaptureStatusDocument,
        notes="Reads the settings of the user and of the project in this folder, and no database.",
    ),
)
def status(context: typer.Context, json: Json = False) -> None:
    """Show the hooks of coding agents and what they noted."""
    from backstory.application.capture import hook
    from backstory.application.capture.install import is_placed
    from backstory.application.capture.places import hooks_folder

    run = run_of(context)
    folder = hooks_folder()
    document = CaptureStatusDocument(
        hooks=_hooks(),
        folder=folder,
        placed=is_placed(folder),
        noted_bytes=sum(file.stat().st_size for file in folder.glob("spool*.jsonl")),
        waiting=len(list(folder.glob(f"{hook.RECAPS}/*/*{hook.WAITING}"))),
    )
    if json:
        run.document(document)
        return
    rows = [(one.agent, one.scope, _installed(one), one_line(str(one.file))) for one in document.hooks]
    print_table(run.out, ("agent", "settings of", "hooks", "file"), rows, how="see --json")
    run.out.print(
        Text(
            f"hook {'in' if document.placed else 'not in'} {folder}; {size(document.noted_bytes)} noted; "
            f"{counted(document.waiting, 'recap')} waiting",
            "quiet",
        )
    )


@command(
    "capture recap",
    Manual(
        examples=(
            "backstory capture recap claude-code 5f2b8c1e --transcript ~/.claude/projects/p/5f2b8c1e.jsonl",
        ),
        document=RecapMadeDocument,
        fails=(NotFound,),
        notes=(
            "The hook runs it after a compaction. It imports what is new in the transcript, and leaves what the "
            "compaction lost in a file, once for each compaction; the hook gives that to the agent and removes it. To "
            "read what was lost, use `backstory uncompact`."
        ),
    ),
)
def recap(
    context: typer.Context,
    agent: Agent,
    session: Annotated[
        str, typer.Argument(metavar="SESSION", help="The agent's own id of the session.", show_default=False)
    ],
    transcript: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The session's transcript.", show_default=False)
    ] = None,
    at: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="When the session went on, since 1970. Otherwise now.", show_default=False
        ),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="How long to wait for the compaction.", min=0, max=600),
    ] = 10.0,
    json: Json = False,
) -> None:
    """Leave what a compaction lost for the hook to give back."""
    from backstory.application.capture.places import hooks_folder
    from backstory.application.capture.recaps import Recaps

    run = run_of(context)
    try:
        moment = datetime.fromtimestamp(time.time() if at is None else at, UTC)
    except (ValueError, OverflowError, OSError):
        raise InvalidInput("at", f"must be a time in seconds since 1970, got {at}") from None
    with run.store() as store:
        made = Recaps(store, hooks_folder()).make(agent, session, moment, transcript, patience)
    if json:
        run.document(RecapMadeDocument(made=made))
    else:
        run.out.print(Text("a recap waits" if made else "there is nothing to give", "quiet"))


def _hooks() -> list[HooksStatusDocument]:
    from backstory.application.capture.install import EVENTS, installed_events
    from backstory.application.capture.places import AGENTS, Scope, hook_settings, hooks_folder

    found = []
    scopes: tuple[Scope, ...] = ("user", "project")
    for agent in AGENTS:
        for scope in scopes:
            file = hook_settings(agent, scope, Path.cwd())
            events: tuple[str, ...] = ()
            problem = None
            try:
                events = installed_events(file, hooks_folder())
            except BackstoryError as error:
                problem = str(error)
            complete = set(events) == set(EVENTS)
            found.append(
                HooksStatusDocument(
                    agent=agent,
                    scope=scope,
                    file=file,
                    events=list(events),
                    complete=complete,
                    problem=problem,
                )
            )
    return found


def _installed(hooks: HooksStatusDocument) -> str:
    return hooks.problem or ("yes" if hooks.complete else "in part" if hooks.events else "no")


def _show(run: Run, change: "Change") -> None:
    for text in change.diff().splitlines():
        styled = "good" if text.startswith("+") else "bad" if text.startswith("-") else "quiet"
        run.out.print(Text(text, styled), soft_wrap=True)


def _document(agent: AgentName, change: "Change") -> HooksChangeDocument:
    return HooksChangeDocument(agent=agent, file=change.file, changed=change.changes, diff=change.diff())
