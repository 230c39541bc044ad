"""`backstory policy check`: tries policies on recorded sessions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group

from backstory.application.evaluation.recall_gate import (
    DEFAULT,
    DEFAULT_FLOOR,
    DEFAULT_LIMIT,
    PolicyCheck,
    check_policies,
    policies_named,
    scratch_store,
)
from backstory.application.evaluation.recording import Recording, recording_of
from backstory.domain.errors import InvalidInput, NotFound, RecallBelowFloor
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, OptionalSessions
from backstory.interfaces.cli.output.layout import table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.policies import PolicyCheckDocument
from backstory.interfaces.wording import counted


@command(
    "policy check",
    Manual(
        examples=(
            "backstory policy check last",
            "backstory policy check last --policy default --policy ours.json --floor 0.95",
            "backstory policy check --file runs.jsonl --limit 8000 --json",
        ),
        document=PolicyCheckDocument,
        lines=True,
        fails=(RecallBelowFloor, NotFound),
        notes=(
            "Replays each session under each policy on a temporary Postgres; the recorded sessions stay unchanged. "
            "At each call, the file paths and identifiers of the answer that had been mentioned before are looked up "
            "in the prompt, and so are decisions with names of the answer. `far` are names that were not in the last "
            "ten messages. Below the floor the command ends with 4, for use in CI. "
            f"Policies: `{DEFAULT}`, or a file such as "
            '`{"name": "ours", "window": {"stubs_from": 0.3}, "context": {"user_messages": 5}}`.'
        ),
    ),
)
def check(
    context: typer.Context,
    session: OptionalSessions = None,
    file: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="A transcript to try; may be repeated.")
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"`{DEFAULT}` or a JSON file; may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="The window's limit.")] = DEFAULT_LIMIT,
    floor: Annotated[
        float, typer.Option(metavar="SHARE", help="The required share, 0 to 1.")
    ] = DEFAULT_FLOOR,
    every: Annotated[int, typer.Option(metavar="N", help="Compare every Nth call.")] = 1,
    json: Json = False,
) -> None:
    """Try policies on recorded sessions: tokens saved, and names still in the prompt when used."""
    run = run_of(context)
    wanted = [policies_named(name) for name in policy or (DEFAULT,)]
    recordings = _recordings(run, session or (), file or ())
    if not any(recording.calls for recording in recordings):
        raise InvalidInput("session", "must name at least one session or file in which a model answered")
    checks = check_policies(recordings, wanted, limit=limit, floor=floor, every=every)
    for one in checks:
        if json:
            run.line(PolicyCheckDocument.of(one))
    if not json:
        run.out.print(_table(checks))
        first = checks[0]
        full = f"{first.full_tokens_per_call:,.0f} tokens a call with the full history"
        run.out.print(
            Text(f"{full}; {counted(first.uses, 'use')} in {counted(first.calls, 'call')}", "quiet")
        )
    below = [one.policy for one in checks if not one.ok]
    if below:
        raise RecallBelowFloor(
            f"{', '.join(below)}: less than {floor * 100:g}% of the names were in the prompt, or a prompt lacked the "
            "newest instruction."
        )


def _recordings(run: Run, sessions: Sequence[str], files: Sequence[Path]) -> list[Recording]:
    found = []
    if sessions:
        with run.store() as store:
            found += [recording_of(store.session(name)) for name in sessions]
    if files:
        # Into a temporary database: a trial is no part of the record.
        with scratch_store() as scratch:
            for path in files:
                found += [recording_of(scratch.session(done.session)) for done in scratch.import_file(path)]
    return found


def _table(checks: list[PolicyCheck]) -> Group:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    rows = [
        [
            Text(one.policy, "version"),
            Text(f"{one.tokens_per_call:,.0f}"),
            Text(f"{one.saved:.1%}"),
            *(
                Text(share(one.shares[name]))
                for name in ("all", "path", "identifier", "far", "decision", "instruction")
            ),
            Text(_verdict(one), "good" if one.ok else "bad"),
        ]
        for one in checks
    ]
    headings = ("policy", "tokens", "saved", "held", "paths", "names", "far", "decisions", "instruction", "")
    return table(headings, rows, right=range(1, 9))


def _verdict(check: PolicyCheck) -> str:
    if check.ok:
        return "ok"
    instructed = check.shares["instruction"]
    return f"below {check.floor * 100:g}%" if instructed in (None, 1) else "lacks instructions"
