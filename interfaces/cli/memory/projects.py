"""`backstory projects`: lists projects."""

from datetime import UTC, datetime

import typer

from backstory.domain.values import LARGEST
from backstory.interfaces.cli.commands import command, default_command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, Limit
from backstory.interfaces.cli.output.layout import ROWS, Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.memory import ProjectDocument
from backstory.interfaces.wording import ago, one_line


@command(
    "projects list",
    Manual(
        examples=("backstory projects list", "backstory projects list --json"),
        document=ProjectDocument,
        lines=True,
        notes="`backstory projects` is the same.",
    ),
)
def list_projects(context: typer.Context, limit: Limit = None, json: Json = False) -> None:
    """List projects, the most recently active first."""
    run = run_of(context)
    most = limit or (LARGEST if json else ROWS)
    with run.store() as store:
        projects = store.projects(limit=min(most + 1, LARGEST))
    if json:
        for project in projects[:most]:
            run.line(ProjectDocument.model_validate(project))
        return
    if not projects:
        run.out.print("no projects", style="quiet")
        return
    now = datetime.now(UTC)
    rows: list[list[Cell]] = [
        [
            Text(one_line(project.name), "heading"),
            f"{project.sessions:,}",
            f"{project.open:,}",
            f"{project.memories:,}",
            Text(ago(project.last_activity, now), "quiet"),
        ]
        for project in projects
    ]
    headings = ("project", "sessions", "open", "memories", "activity")
    print_table(run.out, headings, rows, limit, right=(1, 2, 3), rest_unknown=True)


default_command("projects", list_projects)
