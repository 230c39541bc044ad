"""`backstory policy check`: what a policy would have left in context when it was needed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group

from backstory.application.evaluation.recall_gate import (
    DEFAULT_FLOOR,
    DEFAULT_LIMIT,
    NAMED,
    PolicyCheck,
    check_policies,
    policies_named,
    scratch_store,
)
from backstory.application.evaluation.recording import Recording, recording_of
from backstory.application.queries.lookup import find_session
from backstory.domain.errors import InvalidInput, NotFound, RecallBelowFloor
from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.policies import PolicyCheckDocument
from backstory.interfaces.wording import counted


@command(
    "policy check",
    Manual(
        examples=(
            "backstory policy check last",
            "backstory policy check last --policy agent-work --policy ours.json --floor 0.95",
            "backstory policy check --file runs.jsonl --policy agent-work --limit 32000 --json",
        ),
        document=PolicyCheckDocument,
        lines=True,
        fails=(RecallBelowFloor, NotFound),
        notes=(
            "Each session is lived through again under each policy, on a Postgres of its own that is gone afterwards; "
            "the recorded ones are not touched. At each call it is asked which file paths and identifiers the answer "
            "uses that had been said before, and whether the prompt still had them; likewise decisions whose names it "
            "uses. `far` are names that were not in the last ten messages. Below the floor it ends with 4, so that it "
            f"can stand in CI. Policies: {', '.join(f'`{name}`' for name in NAMED)}, or a file such as "
            '`{"name": "ours", "window": {"stubs_from": 0.3}, "context": {"history_messages": 12}}`.'
        ),
    ),
)
def check(
    context: typer.Context,
    session: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SESSION]...", help="Recorded sessions.", show_default=False),
    ] = None,
    file: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="A transcript to try; may be repeated.")
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A policy's name or JSON file; may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="The window's limit.")] = DEFAULT_LIMIT,
    floor: Annotated[
        float, typer.Option(metavar="SHARE", help="The least share to be held, 0 to 1.")
    ] = DEFAULT_FLOOR,
    every: Annotated[int, typer.Option(metavar="N", help="Look at every so many calls.")] = 1,
    json: Json = False,
) -> None:
    """Replay recorded sessions through policies: tokens saved, and what was still there when it was needed."""
    run = run_of(context)
    wanted = [policies_named(name) for name in policy or ("default",)]
    recordings = _recordings(run, session or (), file or ())
    if not any(recording.calls for recording in recordings):
        raise InvalidInput("session", "must name at least one session or file in which a model answered")
    found = check_policies(recordings, wanted, limit=limit, floor=floor, every=every)
    for one in found:
        if json:
            run.line(PolicyCheckDocument.of(one))
    if not json:
        run.out.print(_table(found))
    below = [one.policy for one in found if not one.ok]
    if below:
        raise RecallBelowFloor(f"{', '.join(below)}: less than {floor * 100:g}% was held.")


def _recordings(run: Run, sessions: Sequence[str], files: Sequence[Path]) -> list[Recording]:
    found = []
    if sessions:
        with run.store() as store:
            found += [recording_of(store.session(find_session(store, name))) for name in sessions]
    if files:
        # Imported where nobody sees it: what is tried out is not part of anybody's record.
        with scratch_store() as scratch:
            for path in files:
                found += [recording_of(scratch.session(done.session)) for done in scratch.import_file(path)]
    return found


def _table(found: list[PolicyCheck]) -> Group:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    head = ("policy", "tokens a call", "saved", "held", "paths", "identifiers", "far", "decisions", "")
    rows = [[Text(cell, "quiet") for cell in head]]
    for one in found:
        rows.append(
            [
                Text(one.policy, "version"),
                Text(f"{one.tokens_per_call:,.0f} of {one.full_tokens_per_call:,.0f}"),
                Text(f"{one.saved:.1%}"),
                *(Text(share(one.shares[name])) for name in ("all", "path", "identifier", "far", "decision")),
                Text("ok" if one.ok else f"below {one.floor * 100:g}%", "good" if one.ok else "bad")
                + Text(f"  {counted(one.uses, 'use')} in {counted(one.calls, 'call')}", "quiet"),
            ]
        )
    return columns(rows, right=range(1, 8), indent=0)
