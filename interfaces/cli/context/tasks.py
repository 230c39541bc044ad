"""`backstory task`: the fresh contexts of a project's tasks."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.rule import Rule

from backstory.domain.errors import Conflict, ContentErased, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, OptionalWhy
from backstory.interfaces.cli.output.layout import paragraph, print_table
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.tasks import (
    ContextsClearedDocument,
    TaskContextDocument,
    TaskContextsDocument,
    TaskEndedDocument,
    TaskStatsDocument,
)
from backstory.interfaces.wording import one_line

if TYPE_CHECKING:
    from backstory.domain.tasks.context import TaskContext

TaskId = Annotated[str, typer.Argument(metavar="TASK", help="The task's id.", show_default=False)]
ProjectName = Annotated[
    str | None,
    typer.Option("--project", metavar="NAME", help="The project; otherwise the name of this folder."),
]
Folder = Annotated[
    Path, typer.Option("--path", metavar="FOLDER", help="The folder with the project's files.")
]
Raw = Annotated[bool, typer.Option("--raw", help="Print the exact bytes of the prompt and nothing else.")]
Agent = Annotated[str | None, typer.Option(metavar="NAME", help="The agent that it is for.")]


def _listed(option: str, help: str) -> Any:
    return typer.Option(option, metavar="TEXT", help=f"{help}; may be repeated.")


@command(
    "task context",
    Manual(
        examples=(
            'backstory task context T-12 --name "Round totals" --file shop/basket.py',
            'backstory task context T-12 --name "Round totals" --description "To two places." --raw > prompt.json',
            'backstory task context T-12 --name "Round totals" --query "price rounding" --max-tokens 40000 --preview',
        ),
        document=TaskContextDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "The context is built from nothing: a map of the code, what the project says of itself, the task's files "
            "and those that belong to them, related code, memories of the project. It is recorded in a session of "
            "the task's own, so that `task show` and `reproduce` make it again after the files have changed. With "
            "`--preview` nothing is written."
        ),
    ),
)
def build_context(
    context: typer.Context,
    task: TaskId,
    name: Annotated[str, typer.Option(metavar="TEXT", help="The task's name.", show_default=False)],
    description: Annotated[str, typer.Option(metavar="TEXT", help="What is to be done.")] = "",
    file: Annotated[list[str] | None, _listed("--file", "A file that it is about")] = None,
    criterion: Annotated[list[str] | None, _listed("--criterion", "What must hold at its end")] = None,
    tests: Annotated[str, typer.Option(metavar="TEXT", help="The tests that tell that it is done.")] = "",
    depends_on: Annotated[list[str] | None, _listed("--depends-on", "A further file that it needs")] = None,
    estimate: Annotated[float | None, typer.Option(metavar="N", help="The expected effort.")] = None,
    path: Folder = Path(),
    project: ProjectName = None,
    max_tokens: Annotated[
        int, typer.Option(metavar="N", help="Tokens for prompt and response together.")
    ] = 150_000,
    query: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The query for code; otherwise the task's words.")
    ] = None,
    files: Annotated[int, typer.Option(metavar="N", help="The most files.")] = 10,
    code: Annotated[int, typer.Option(metavar="N", help="The most pieces of code.")] = 5,
    memories: Annotated[int, typer.Option(metavar="N", help="The most memories.")] = 5,
    format: Annotated[
        Literal["openai", "anthropic", "markdown", "parts"],
        typer.Option(metavar="NAME", help="openai, anthropic, markdown or parts."),
    ] = "openai",
    agent: Agent = None,
    record: Annotated[
        bool, typer.Option("--record/--preview", help="Record the context, or write nothing.")
    ] = True,
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Build the fresh context of a task."""
    run = run_of(context)
    spec = {
        "id": task,
        "name": name,
        "description": description,
        "files": tuple(file or ()),
        "test_criteria": tests,
        "acceptance_criteria": tuple(criterion or ()),
        "dependencies": tuple(depends_on or ()),
        "estimated_time": estimate,
    }
    options = {
        "max_tokens": max_tokens,
        "max_relevant_files": files,
        "max_code_results": code,
        "max_memories": memories,
        "code_search_query": query,
        "format": format,
    }
    with run.store() as store:
        tasks = store.tasks(_project(project, path))
        with progress_bar(run, "files") as bar:
            built = tasks.build(spec, str(path.absolute()), options, agent=agent, record=record, progress=bar)
        _show(run, built, raw=raw, json=json)


@command(
    "task show",
    Manual(
        examples=("backstory task show T-12", "backstory task show T-12 --version 5 --raw > prompt.json"),
        document=TaskContextDocument,
        fails=(NotFound, ContentErased),
        notes="The context is made again from the log, byte for byte, whatever became of the files.",
    ),
)
def show_context(
    context: typer.Context,
    task: TaskId,
    version: Annotated[
        int | None, typer.Option(metavar="VERSION", help="The version that records it; otherwise the newest.")
    ] = None,
    path: Folder = Path(),
    project: ProjectName = None,
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Show a recorded context of a task."""
    run = run_of(context)
    with run.store() as store:
        _show(run, store.tasks(_project(project, path)).context(task, version), raw=raw, json=json)


@command(
    "task list",
    Manual(examples=("backstory task list --project shop",), document=TaskContextsDocument, fails=()),
)
def list_contexts(
    context: typer.Context, path: Folder = Path(), project: ProjectName = None, json: Json = False
) -> None:
    """List the contexts of tasks that go on."""
    run = run_of(context)
    with run.store() as store:
        found = store.tasks(_project(project, path)).active()
    if json:
        run.document(TaskContextsDocument(contexts=[TaskContextDocument.of(one) for one in found]))
        return
    rows = [
        (
            one_line(one.task_spec.id),
            one.agent or "",
            str(one.version),
            f"{one.token_count:,}",
            one_line(one.task_spec.name),
        )
        for one in found
    ]
    if rows:
        print_table(run.out, ("task", "agent", "version", "tokens", "name"), rows, right=(2, 3))
    else:
        run.out.print(Text("no task goes on", "quiet"))


@command(
    "task stats",
    Manual(examples=("backstory task stats --project shop",), document=TaskStatsDocument, fails=()),
)
def show_stats(
    context: typer.Context, path: Folder = Path(), project: ProjectName = None, json: Json = False
) -> None:
    """Count contexts of tasks, and their tokens."""
    run = run_of(context)
    with run.store() as store:
        stats = store.tasks(_project(project, path)).stats()
    if json:
        run.document(TaskStatsDocument.of(stats))
        return
    run.out.print(
        f"contexts: {stats.built:,} built, {stats.active:,} in use; tasks: {stats.tasks:,}, of which "
        f"{stats.completed:,} completed, {stats.failed:,} failed"
    )
    run.out.print(
        f"{stats.total_tokens:,} tokens, {stats.mean_tokens:,.0f} on average, {stats.largest_tokens:,} at most; "
        f"{stats.mean_usage:.0%} of the budgets"
    )
    for part, tokens in stats.tokens_by_part.items():
        run.out.print(f"  {escape(part)} {tokens:,}")


@command(
    "task complete",
    Manual(
        examples=("backstory task complete T-12 --actor coder",),
        document=TaskEndedDocument,
        fails=(NotFound, Conflict),
    ),
)
def complete(
    context: typer.Context,
    task: TaskId,
    path: Folder = Path(),
    project: ProjectName = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """End a task that is done."""
    run = run_of(context)
    name = _project(project, path)
    with run.store() as store:
        tasks = store.tasks(name)
        (tasks if actor is None else tasks.by(actor)).complete(task)
    _ended(run, TaskEndedDocument(project=name, task=task, status="completed"), json)


@command(
    "task fail",
    Manual(
        examples=('backstory task fail T-12 --why "the tests do not pass"',),
        document=TaskEndedDocument,
        fails=(NotFound, Conflict),
        notes="A later `task context` of it opens its session again.",
    ),
)
def fail(
    context: typer.Context,
    task: TaskId,
    why: OptionalWhy = None,
    path: Folder = Path(),
    project: ProjectName = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """End a task that is given up."""
    run = run_of(context)
    name = _project(project, path)
    with run.store() as store:
        tasks = store.tasks(name)
        (tasks if actor is None else tasks.by(actor)).fail(task, why)
    _ended(run, TaskEndedDocument(project=name, task=task, status="failed"), json)


@command(
    "task clear",
    Manual(
        examples=("backstory task clear T-12", "backstory task clear --agent coder"),
        document=ContextsClearedDocument,
        fails=(Conflict,),
        notes="The record of the contexts stays.",
    ),
)
def clear(
    context: typer.Context,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="The task's id.", show_default=False)
    ] = None,
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="The agent, of whatever tasks.")] = None,
    path: Folder = Path(),
    project: ProjectName = None,
    json: Json = False,
) -> None:
    """End the contexts of a task, or of an agent."""
    if (task is None) == (agent is None):
        raise InvalidInput("task", "must be given, or --agent, and not both")
    run = run_of(context)
    name = _project(project, path)
    with run.store() as store:
        tasks = store.tasks(name)
        cleared = tasks.clear_agent(agent) if agent is not None else tasks.clear(str(task))
    if json:
        run.document(ContextsClearedDocument(project=name, cleared=cleared))
    else:
        run.out.print(f"{cleared:,} context{'' if cleared == 1 else 's'} ended")


def _project(name: str | None, path: Path) -> str:
    """The named project, else the one that has the name of the folder."""
    return path.absolute().name if name is None else name


def _show(run: Run, built: "TaskContext", *, raw: bool, json: bool) -> None:
    from backstory.domain.tasks.context import validate_context

    if raw and json:
        raise InvalidInput("raw", "cannot be given with --json")
    if json:
        run.document(TaskContextDocument.of(built))
        return
    if raw:
        sys.stdout.buffer.write(built.data)
        return
    if built.text is not None:
        paragraph(run.out, built.text)
    for message in built.messages:
        paragraph(run.out, str(message.get("content", message.get("text", ""))))
    run.out.print(Rule(style="quiet"))
    where = "a preview" if built.session is None else f"version {built.version} of session {built.session}"
    run.out.print(f"{built.token_count:,} of {built.token_budget:,} tokens, {where}", soft_wrap=True)
    for name, tokens in built.breakdown._asdict().items():
        run.out.print(f"  {name.replace('_', ' ')} {tokens:,}")
    checked = validate_context(built)
    for said, style in ((checked.warnings, "altered"), (checked.suggestions, "quiet")):
        for line in said:
            run.out.print(Text(one_line(line), style), soft_wrap=True)


def _ended(run: Run, document: TaskEndedDocument, json: bool) -> None:
    if json:
        run.document(document)
    else:
        run.out.print(f"{escape(document.status)} {escape(one_line(document.task))}", soft_wrap=True)
