"""Every first word of the command line: its panel in `--help`, the modules that define it, and one line of help.

The root's `--help` needs nothing else, so no command module is imported for it.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """One word after `backstory`: a command, or a group of commands."""

    panel: str
    modules: tuple[str, ...]
    """Modules below `interfaces/cli`. Importing them registers the command."""
    help: str
    is_group: bool = False
    needs_word: bool = True
    """Whether a group shows its help when no further word follows."""


RECORD, LOOK_BACK, MEMORY, CONTEXT = "Record", "Look back", "Memory", "Context"
WINDOW, OPERATE = "Window", "Operate"

CATALOGUE: dict[str, Entry] = {
    "sample": Entry("Try it", ("sample.sample",), "Add sample sessions to the database."),
    "demo": Entry("Try it", ("demo.demo",), "Watch a session being recorded, replayed and verified."),
    "sessions": Entry(
        RECORD,
        ("record.sessions", "look_back.views"),
        "List, show, start, end and resume sessions.",
        is_group=True,
    ),
    "say": Entry(RECORD, ("record.messages",), "Add a message to a session."),
    "command": Entry(RECORD, ("record.messages",), "Run a chat command, such as /set_goal or /remember."),
    "backtrack": Entry(RECORD, ("record.branches",), "Make an earlier version current again."),
    "fork": Entry(RECORD, ("record.branches",), "Start a session from a version of another one."),
    "import": Entry(RECORD, ("record.imports",), "Import transcripts and exported sessions."),
    "watch": Entry(RECORD, ("capture.watch",), "Import the transcripts of agents as they grow."),
    "capture": Entry(
        RECORD, ("capture.hooks",), "Put hooks into the settings of coding agents.", is_group=True
    ),
    "sync": Entry(RECORD, ("record.sync",), "Write sessions to files that other tools read."),
    "search": Entry(LOOK_BACK, ("look_back.search",), "Find items in everything that was recorded."),
    "log": Entry(LOOK_BACK, ("look_back.log",), "Print the events of a session."),
    "at": Entry(LOOK_BACK, ("look_back.states",), "Show the state at a version."),
    "diff": Entry(LOOK_BACK, ("look_back.states",), "Show the changes between two versions."),
    "replay": Entry(LOOK_BACK, ("look_back.replay",), "Step through a session, event by event."),
    "saw": Entry(LOOK_BACK, ("context.contexts",), "Show the prompt behind a message or a decision."),
    "verify": Entry(LOOK_BACK, ("look_back.verify",), "Check that the record is intact."),
    "validate": Entry(LOOK_BACK, ("look_back.validate",), "Check the context document by its rules."),
    "activity": Entry(LOOK_BACK, ("operate.feed_projections",), "Show events, tokens and costs by day."),
    "projects": Entry(MEMORY, ("memory.projects",), "List projects.", is_group=True, needs_word=False),
    "memory": Entry(
        MEMORY,
        ("memory.reading", "memory.writing", "memory.archiving"),
        "Remember, recall and forget what outlives a session.",
        is_group=True,
    ),
    "artifacts": Entry(
        CONTEXT,
        ("artifacts.registering", "artifacts.loading"),
        "Register a project's artifacts, and load them into sessions.",
        is_group=True,
        needs_word=False,
    ),
    "triggers": Entry(
        CONTEXT,
        ("artifacts.triggers",),
        "Set what changes set off, try it, and see what fired.",
        is_group=True,
        needs_word=False,
    ),
    "safety": Entry(
        MEMORY,
        ("safety.items", "safety.policy"),
        "Quarantine, release, confirm and clear items.",
        is_group=True,
    ),
    "reached": Entry(
        MEMORY, ("safety.reached",), "Show which summaries, memories and prompts an item got into."
    ),
    "context": Entry(CONTEXT, ("context.contexts",), "Show the context of the next model call."),
    "reproduce": Entry(CONTEXT, ("context.contexts",), "Rebuild a recorded context and compare its bytes."),
    "task": Entry(CONTEXT, ("context.tasks",), "Build, show and end fresh contexts of tasks.", is_group=True),
    "tiers": Entry(
        CONTEXT, ("context.tiers",), "List, count and update HOT, WARM and COLD items.", is_group=True
    ),
    "policy": Entry(CONTEXT, ("context.policies",), "Try policies on recorded sessions.", is_group=True),
    "status": Entry(WINDOW, ("window.status",), "Show how full a session's window is, and alerts."),
    "usage": Entry(WINDOW, ("window.status",), "Plot a window's tokens over its versions."),
    "compact": Entry(WINDOW, ("window.compaction",), "Replace less important items by a summary."),
    "prune": Entry(WINDOW, ("window.checkpoints",), "Remove the least important items from a window."),
    "expand": Entry(WINDOW, ("window.compaction",), "Show the items that a summary replaced."),
    "uncompact": Entry(
        WINDOW, ("window.compaction",), "Tell what a compaction lost and its summary does not tell."
    ),
    "dropped": Entry(
        WINDOW, ("window.compaction",), "Rank what a compaction took out by what was needed since."
    ),
    "undo": Entry(WINDOW, ("window.compaction",), "Undo a compaction or a prune."),
    "checkpoint": Entry(WINDOW, ("window.checkpoints",), "Give the newest version a name."),
    "restore": Entry(WINDOW, ("window.checkpoints",), "Make a checkpoint current again."),
    "flash-save": Entry(WINDOW, ("window.checkpoints",), "Take a checkpoint and keep only HOT items."),
    "mcp": Entry(OPERATE, ("serve.mcp",), "Serve agents over MCP, on standard input and output."),
    "serve": Entry(OPERATE, ("serve.serve",), "Serve the API, the page and the worker."),
    "worker": Entry(OPERATE, ("operate.worker",), "Run scheduled jobs and projections."),
    "jobs": Entry(
        OPERATE,
        ("operate.jobs",),
        "List the scheduled jobs, or run one now.",
        is_group=True,
        needs_word=False,
    ),
    "feed": Entry(OPERATE, ("operate.feed",), "Print the events of all sessions."),
    "feed-status": Entry(OPERATE, ("operate.feed",), "Show how far the feed and its consumers are."),
    "projections": Entry(
        OPERATE,
        ("operate.feed_projections", "operate.projections"),
        "List, check, run and rebuild read models.",
        is_group=True,
    ),
    "export": Entry(OPERATE, ("operate.exports",), "Export sessions to one file, with proofs."),
    "audit": Entry(OPERATE, ("operate.audit",), "Verify an exported file without a database."),
    "anchor": Entry(OPERATE, ("operate.anchors",), "Write chain hashes to a signed file."),
    "anchor-key": Entry(OPERATE, ("operate.anchors",), "Show, make or rotate the key of anchors."),
    "erase": Entry(OPERATE, ("look_back.verify",), "Erase an item's content for good."),
    "purge": Entry(OPERATE, ("operate.purge",), "Remove a whole session, after an export."),
    "retention": Entry(
        OPERATE, ("operate.retention",), "Set how long each project's sessions are kept.", is_group=True
    ),
    "keys": Entry(OPERATE, ("operate.keys",), "Make, list, revoke and rotate keys.", is_group=True),
    "db": Entry(OPERATE, ("operate.database",), "Upgrade, inspect and stop the database.", is_group=True),
}
"""In the order in which `--help` lists them."""
