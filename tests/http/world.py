"""A project with a session, private items, memories: what the rows of the matrix refer to."""

import os
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4

from backstory.application.store import ContextStore

Substitutes = dict[str, Any]
SECRET = "periwinkle"
"""Stands in every private item and nowhere else."""


def make_world(store: ContextStore, project: str | None = None) -> Substitutes:
    """A new project with a session in it: the values that rows refer to by name."""
    project = project or f"project-{uuid4().hex[:8]}"
    root = Path(mkdtemp(dir=os.environ.get("BACKSTORY_ALLOWED_ROOTS")))
    (root / "LAMP-1.md").write_text("# The lamp\n\nIt burns oil.")
    artifacts = store.project(project).artifacts
    artifacts.configure(root)
    artifacts.scan(["*.md"])
    session = store.start(project=project, title=f"About {project}", limit=8000)
    message = session.message(f"The lighthouse of {project}.")
    call = session.tool_call("read_file", {"path": "lamp.py"}, call_id="call-1")
    session.tool_result("call-1", "def lamp(): ...\n" * 40)
    decision = session.decide("The lamp burns at night.", rationale="ships")
    item = session.items.save("note", "The lens is clean.")
    goal = session.work.set_goal("Light the lamp.")
    session.work.start_task("T-1", "Clean the lens.")
    private = session.by("planner").items.save("note", f"The {SECRET} is private.")
    session.message("We decided to use a Fresnel lens because it reaches the ships.")
    context = session.context(8000)
    answer = session.answered(context, "The lamp is lit.", model="gpt-4o")
    checkpoint = session.checkpoints.create("first")
    memory = session.memory.remember("The keeper lives upstairs.", items=[message])
    session.by("planner").memory.remember(f"The keeper keeps the {SECRET}.", agent="planner")
    waiting = session.memory.archive("The lens").candidates[0]
    return {
        "project": project,
        "waiting": waiting,
        "memory": memory,
        "session": str(session.id),
        "version": session.version,
        "message": message,
        "call": call,
        "decision": decision,
        "item": item,
        "goal": goal,
        "private": private,
        "action": session.work.add_action("Trim the wick."),
        "question": session.work.ask("How many ships?"),
        "constraint": session.work.add_constraint("The lamp burns all night."),
        "error": session.progress.error("The fog horn is silent."),
        "candidate": session.decisions.candidates()[0].id,
        "assembly": context.version,
        "answer": answer,
        "checkpoint": checkpoint,
        "agent": "coder",
        "root": str(root),
        "fresh": uuid4().hex,
    }


def filled(value: Any, world: Substitutes) -> Any:
    """A value with the world's for each `$name` in it."""
    if isinstance(value, str):
        if value.startswith("$") and value[1:] in world:
            return world[value[1:]]
        return value
    if isinstance(value, dict):
        return {name: filled(inner, world) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [filled(inner, world) for inner in value]
    return value
