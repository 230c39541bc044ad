"""docs/reference/http.md: the HTTP API, from the OpenAPI document."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backstory.interfaces.http import requests
from backstory.interfaces.http.app import create_app
from backstory.interfaces.http.live import sockets
from backstory.interfaces.http.routing import PREFIX

Operation = tuple[str, str, dict[str, Any]]
PAGE = Path("docs/reference/http.md")

TOPICS = {
    "agents": "Agents: the endpoints of the CodeFRAME document",
    "sessions": "Sessions",
    "writes": "Writes",
    "branches": "Branches",
    "contexts": "Contexts and calls of models",
    "window": "Windows",
    "windows": "Windows",
    "checkpoints": "Checkpoints",
    "tiers": "Tiers",
    "states": "States, events, items",
    "items": "Items and contents",
    "views": "Views",
    "timeline": "Timeline",
    "search": "Search",
    "memory": "Memory of projects",
    "projects": "Projects",
    "safety": "Safety",
    "artifacts": "Artifacts",
    "triggers": "Triggers",
    "tasks": "Tasks",
    "feed": "Feed and projections",
    "jobs": "Jobs and retention",
    "keys": "Keys",
    "transfer": "Export, import, purge",
    "live": "Live",
    "service": "Service",
}
"""The topics, in their order; one that is not named comes last, under its own name."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "sessions list": ("list_sessions",),
    "sessions show": ("show_session", "status"),
    "sessions start": ("start_session",),
    "sessions end": ("end",),
    "sessions resume": ("resume", "continue_session"),
    "sessions hot-context": ("hot_context",),
    "sessions recent-history": ("recent_history",),
    "sessions restore-view": ("restore_view",),
    "say": ("message",),
    "command": ("command",),
    "backtrack": ("backtrack", "redo"),
    "fork": ("fork",),
    "import": ("import_file",),
    "search": ("search", "search_session"),
    "log": ("events", "live_session"),
    "at": ("state",),
    "diff": ("diff",),
    "replay": ("state", "timeline"),
    "saw": ("saw",),
    "verify": ("verify", "verify_all", "verify_project"),
    "validate": ("validate",),
    "activity": ("activity",),
    "projects list": ("list_projects",),
    "memory recall": ("recall", "recall_in_session"),
    "memory list": ("list_memories",),
    "memory show": ("show_memory",),
    "memory history": ("show_memory_history",),
    "memory remember": ("remember", "remember_from_session"),
    "memory supersede": ("supersede",),
    "memory forget": ("forget",),
    "memory erase": ("erase_memory",),
    "memory archive": ("archive_session", "archive_project"),
    "memory confirm": ("confirm_memory",),
    "memory dismiss": ("dismiss_memory",),
    "memory policy": ("show_memory_policy", "choose_memory_policy"),
    "safety list": ("flagged", "quarantined", "flagged_memories", "quarantined_memories"),
    "safety quarantine": ("safety_quarantine", "project_safety_quarantine", "take_out", "take_out_memories"),
    "safety release": ("safety_release", "project_safety_release"),
    "safety confirm": ("safety_confirm", "project_safety_confirm"),
    "safety clear": ("safety_clear", "project_safety_clear"),
    "safety policy": ("safety_policy", "project_safety_policy", "choose_safety"),
    "reached": ("reached", "memories_reached"),
    "context": ("context", "preview_context"),
    "reproduce": ("reproduce",),
    "artifacts list": ("list_artifacts",),
    "artifacts show": ("get_artifact", "artifact_settings"),
    "artifacts configure": ("configure_artifacts", "choose_artifact_policy"),
    "artifacts register": ("project_artifacts_register",),
    "artifacts scan": ("scan_artifacts",),
    "artifacts remove": ("project_artifacts_remove",),
    "artifacts load": ("load_artifact",),
    "artifacts layers": ("load_artifact_layers",),
    "artifacts preload": ("preload_artifacts",),
    "artifacts unload": ("artifacts_unload",),
    "artifacts unload-stale": ("unload_stale_artifacts",),
    "artifacts window": ("list_window_artifacts",),
    "task context": ("build_task_context",),
    "task show": ("show_task_context",),
    "task list": ("active_task_contexts",),
    "task stats": ("task_context_stats",),
    "task complete": ("complete_project_task",),
    "task fail": ("fail_project_task",),
    "task clear": ("clear_task_contexts", "clear_agent_contexts"),
    "uncompact": ("uncompact",),
    "triggers list": ("list_triggers",),
    "triggers set": ("set_triggers",),
    "triggers check": ("check_triggers",),
    "triggers history": ("trigger_history", "project_trigger_history"),
    "triggers dry-run": ("dry_run_triggers",),
    "triggers run": ("run_triggers",),
    "tiers update": ("update_session_tiers", "update_tiers"),
    "tiers list": ("tier_items",),
    "tiers stats": ("tier_stats",),
    "status": ("status",),
    "usage": ("window_usage",),
    "compact": ("compact",),
    "prune": ("prune",),
    "expand": ("expand", "show_expanded"),
    "dropped": ("dropped",),
    "undo": ("window_undo_compaction",),
    "checkpoint": ("checkpoints_create", "create_checkpoint_if_due", "save_checkpoint"),
    "restore": ("restore_checkpoint", "restore_checkpoint_file"),
    "flash-save": ("flash_save",),
    "jobs list": ("jobs",),
    "jobs history": ("job_runs",),
    "jobs run": ("run_job",),
    "feed": ("feed", "live"),
    "feed-status": ("feed_status",),
    "projections set-aside": ("set_aside",),
    "projections retry": ("retry_set_aside",),
    "projections list": ("projections",),
    "projections check": ("check_projections",),
    "projections rebuild": ("rebuild_projections", "rebuild_feed_projection"),
    "export": ("export",),
    "erase": ("erase",),
    "purge": ("purge", "purge_memory"),
    "retention set": ("set_retention",),
    "retention list": ("retention",),
    "retention run": ("apply_retention",),
    "keys create": ("create_key",),
    "keys rotate": ("rotate_key",),
    "keys revoke": ("revoke_key",),
    "keys list": ("list_keys",),
    "keys calls": ("calls",),
}
"""The operations that do what a command does."""

LOCAL = {
    "sample": "starts a session to look at; it needs none of the service",
    "demo": "tells a story in a terminal, on a database of its own",
    "sync": "writes files beside its caller",
    "watch": "reads files beside its caller as they grow; `POST /import` takes them",
    "capture install": "changes the settings of an agent on its caller's machine",
    "capture remove": "changes them back",
    "capture status": "reads those settings",
    "capture recap": "is called by a hook on its caller's machine; over HTTP `uncompact`",
    "policy check": "measures policies on recorded runs in files",
    "mcp": "is another door to the same store",
    "serve": "is the service",
    "worker": "runs beside the service, or in it",
    "projections run": "runs projections whose code is the caller's",
    "audit": "reads a file, and needs no database",
    "anchor": "signs with a key that the service must not have",
    "anchor-key": "makes that key",
    "db upgrade": "upgrades the database that the service needs",
    "db status": "looks at the database itself; over HTTP `/readyz` and `/metrics`",
    "db distribute": "changes the database itself",
    "db stop": "stops the embedded Postgres",
}
"""The commands that have no operation, and why."""


def render() -> str:
    document = create_app(None).openapi()  # type: ignore[arg-type]
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return "\n".join(
        [
            HEAD.format(headers=_prose(requests.__doc__ or "")),
            *_topics(operations, document["components"]["schemas"]),
            SOCKETS.format(messages=(sockets.__doc__ or "").partition("\n\n")[2].split("\n\nand is")[0]),
            *_commands(operations),
        ]
    )


HEAD = """\
# The HTTP API

<!-- Made by `make docs` from the OpenAPI document. Do not edit. -->

`backstory serve` offers this API: see [Run the service](../how-to/run-the-service.md). The service describes it at
`/openapi.json`, and `/docs` shows that with every field and an example of each request and answer.

Paths, parameters and results are those of [Python](python.md): `session.work.set_goal(…)` is
`POST /api/v1/sessions/{{session}}/work/set-goal`, with the parameters' names as fields of a JSON object. What only
reads is a GET with a query. Results are the [documents](documents.md) of the command line, errors its
[errors](errors.md#side-by-side). In place of a session's id its beginning or end will do, or `last`. A slash in a name
in a path is encoded as `%2F`. Long lists come in pages: `next` of an answer is the `after` of the page behind it, and
null on the last.

```console
curl http://127.0.0.1:8765/api/v1/sessions --json '{{"title": "Add JWT authentication"}}'
curl http://127.0.0.1:8765/api/v1/sessions/last/message --json '{{"content": "Which algorithm signs the tokens?"}}'
curl 'http://127.0.0.1:8765/api/v1/sessions/last/context?budget=8000'
```

## Headers

{headers}

## Limits

| what | limit | beyond it |
|---|---|---|
| a body, after it was decompressed | 32 MiB; none for streamed lines and files | 413 |
| the time that a body takes | 30 s, and a second for each 32 KiB | 408 |
| a header | 32 KiB, in 10 s | the connection is closed |
| connections of a process | 2,000 | 503 |
| requests of a key | `BACKSTORY_RATE_LIMIT` a second | 429 |
| writes of one `atomic` | 1,000 | 422 |
| a line of streamed writes | 32 MiB | 422 |
| WebSocket: a client's message; subscriptions | 64 KiB; 100 | the connection is closed; a problem |
| live: events that a client may be behind | 2,000, or 16 MiB | `dropped`; it continues after its last id |

## Operations

The last column is the action that a [key](../how-to/give-out-keys.md) needs. In *takes*, parameters in bold are
required; those in a query stand in brackets.
"""

SOCKETS = """\
## WebSocket

`/api/v1/live/ws` sends what a client says that it follows:

```text
{messages}
```

It is sent `event`, `tiers` and `window` messages, `subscribed` and `unsubscribed` as answers, `problem` where a request
is refused, and `dropped` with a reason and an id to continue after where a subscription ends by itself. A connection is
closed with 1012 where the service stops, and with 1008 where the key may read no longer.
"""


def _prose(doc: str) -> str:
    """A docstring's lists, as they are."""
    return doc.partition("\n\n")[2].strip()


def _topics(operations: list[Operation], schemas: dict[str, Any]) -> Iterator[str]:
    tags = {operation["tags"][0] for _, _, operation in operations}
    order = [*(tag for tag in TOPICS if tag in tags), *sorted(tags - set(TOPICS))]
    for tag in order:
        yield f"### {TOPICS.get(tag, tag.capitalize())}\n"
        yield "| operation | | takes | action |\n|---|---|---|---|"
        for method, path, operation in operations:
            if operation["tags"][0] == tag:
                yield _row(method, path, operation, schemas)
        yield ""


def _row(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    text = (operation.get("description") or operation["summary"]).split("\n\n")[0]
    shown = " ".join(text.split()).replace("|", "\\|")
    action = operation.get("x-action") or "–"
    return f"| {method} `{path}` | {shown} | {', '.join(_takes(operation, schemas))} | {action} |"


def _takes(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """What an operation takes: fields of its body, then parameters of its query."""
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        if kind != "application/json":
            yield kind
            continue
        name = body["schema"]["$ref"].rsplit("/", 1)[-1]
        schema = schemas[name]
        for field in schema.get("properties", {}):
            yield f"**{field}**" if field in schema.get("required", ()) else field
    queries = [
        f"**{one['name']}**" if one.get("required") else one["name"]
        for one in operation.get("parameters", ())
        if one.get("in") == "query"
    ]
    if queries:
        yield f"[{', '.join(queries)}]"


def _commands(operations: list[Operation]) -> Iterator[str]:
    paths = {
        operation["operationId"]: f"{method} `{path.removeprefix(PREFIX)}`"
        for method, path, operation in operations
    }
    yield "## Commands and their operations\n"
    yield "Below `/api/v1`.\n"
    yield "| command | operations |\n|---|---|"
    for words, names in COMMANDS.items():
        does = "<br>".join(paths[name] for name in names)
        yield f"| [`{words}`](cli.md#backstory-{words.replace(' ', '-')}) | {does} |"
    yield "\nThese have none:\n"
    yield "| command | since it |\n|---|---|"
    for words, why in LOCAL.items():
        yield f"| `{words}` | {why} |"
    yield ""
