"""The facilitator's commands: a project that is clarified layer by layer."""

from collections.abc import Sequence
from functools import partial

from backstory.application.artifacts.writing import write_artifact
from backstory.application.chat import status
from backstory.application.chat.answers import Answer, CommandCall
from backstory.application.chat.ideas import loaded_ideas
from backstory.application.chat.references import id_of, lines
from backstory.application.chat.syntax import unquoted
from backstory.application.checkpoints.creation import checkpoint_request
from backstory.application.triggers.directly import acted, carry_out, led_to
from backstory.application.triggers.firing import fire_all
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import facts, sessions
from backstory.domain.context_document.rules import LAYER_NAMES
from backstory.domain.events import (
    CommandExecuted,
    Event,
    ItemSaved,
    ProgressInvalidated,
    SessionBacktracked,
)
from backstory.domain.values import MAIN_WINDOW
from backstory.domain.window.checkpoints import LAYER
from backstory.infrastructure.project_files import digest_of

CLARIFYING = "clarify"
"""The phase that a clarify session sets."""
SESSION_END = "session end"
BACKTRACK = (
    "restore_historical_context",
    "load_previous_layer_state",
    "reset_clarity_if_needed",
    "invalidate_forward_progress",
)
"""The actions that lead back to the previous layer."""


def show_status(call: CommandCall) -> Answer:
    """The status of the project, then that of the session."""
    call.nothing_more()
    shown = status.show_status(call)
    project = status.project_of(call.state)
    line = (
        f"{project['name'] or 'unnamed project'}: layer {project['layer']} {project['layer_name']}, "
        f"clarity {project['clarity']} %"
    )
    if project["current_idea"]:
        line += f", idea {project['current_idea']}"
    return Answer(f"{line}\n{shown.text}", {**shown.data, "project": project})


def clarify(call: CommandCall) -> Answer:
    """Sets the phase, asks a question if one was given, and lists the open ones."""
    session, state, question = call.session, call.state, unquoted(call.argument)
    texts = call.texts({key: question.text for key, question in sorted(state.questions.items())})
    with session.atomic() as tx:
        tickets = [tx.progress.set_phase(CLARIFYING)] if state.phase != CLARIFYING else []
        if question:
            tickets.append(tx.work.ask(question))
    events = [tx.version_of(ticket) for ticket in tickets]
    if question:
        texts[events[-1]] = question
    clarity = state.clarity or 0
    said = f"Clarifying, at {clarity} %."
    said += f" Open questions:\n{lines('question', texts)}" if texts else " No question is open."
    questions = [{"id": id_of("question", key), "text": text} for key, text in texts.items()]
    return Answer(said, {"clarity": clarity, "questions": questions}, tuple(events))


def update_idea(call: CommandCall) -> Answer:
    """Saves the current idea under its id, in place of the one in the window, and writes its file."""
    text = call.text("the idea")
    older = loaded_ideas(call.session, call.state)
    body = older[-1].body
    assert isinstance(body, ItemSaved)
    assert body.artifact is not None
    data = text.encode(errors="replace")
    written = (
        write_artifact(call.session._handle, body.artifact, data, body.digest) if call.first is None else None
    )
    summary = None
    if body.summary is not None:
        place = (older[-1].version, body.summary.part)
        summary = call.contents.texts([place]).get(place)
    with call.session.atomic() as tx:
        gone = tx.items.remove(*(event.version for event in older), why="saved anew")
        saved = tx.items.save(
            "idea",
            text,
            private=False,
            name=body.name,
            path=body.path,
            artifact=body.artifact,
            load_layer=body.load_layer,
            project_layer=body.project_layer,
            clarity=body.clarity,
            summary=summary,
            digest=digest_of(data),
        )
    version = tx.version_of(saved)
    told = {
        "artifact": body.artifact,
        "item": version,
        "replaced": [event.version for event in older],
        "written": written,
    }
    said = f"{body.artifact} saved anew as version {version}" + (
        f", and written to {written}" if written else ""
    )
    return Answer(said, told, (tx.version_of(gone), version))


def previous_layer(call: CommandCall) -> Answer:
    """Returns to the previous layer and the state it was left in, after a checkpoint. Decisions stay."""
    call.nothing_more()
    layer = (call.state.project_layer or 0) - 1
    marked, events = _with_triggers(call, "facilitator backtrack", LAYER, BACKTRACK)
    state = call.session.state
    back = next((event.version for event in events if event.type == SessionBacktracked.type), None)
    said = f"Back on layer {layer}, {LAYER_NAMES[layer]}"
    said += f", at {state.clarity} %" if state.clarity is not None else ""
    if back is not None:
        said += f". /backtrack {back - 1} takes it back"
    data = {
        "layer": layer,
        "layer_name": LAYER_NAMES[layer],
        "clarity": state.clarity,
        "checkpoint": marked,
        "backtrack": back,
    }
    return Answer(said, data, (marked, *(event.version for event in events)), counted=True)


def _checkpoint(call: CommandCall, name: str) -> Request:
    """A checkpoint of the state as it is now, to be appended together with what changes it."""
    return checkpoint_request(call.session._handle, name, (name,), MAIN_WINDOW)


def end_session(call: CommandCall) -> Answer:
    """Summarizes the session if needed, takes a checkpoint, and ends it."""
    call.nothing_more()
    session = call.session
    summary = None if call.first else session._with(key=None).summarize()
    if call.first is None:
        executed = session._with(key=None).progress.command_executed("facilitator end session")
        fire_all(session._runtime, session.id, executed)
    handle = session._handle
    end = Request(ContentBundle(), partial(sessions.end_session, why=None), handle.provenance)
    done = handle.append([_checkpoint(call, SESSION_END), end], key=handle.key)
    marked, ended = done.first_version, done.last_version
    events = (marked, ended) if summary is None else (summary, marked, ended)
    said = f"Session ended at version {ended}" + (", with a summary" if summary is not None else "")
    return Answer(said, {"summary": summary, "checkpoint": marked, "ended": ended}, events, counted=True)


def _with_triggers(
    call: CommandCall, command: str, mark: str, actions: Sequence[str]
) -> tuple[int, list[Event]]:
    """Records a checkpoint and that a command was executed, which may set triggers off; then carries out those of its
    actions that no trigger has. Returns the checkpoint, and the events that it all led to."""
    session, handle = call.session, call.session._handle
    bundle = handle.bundle()
    executed = facts.note(CommandExecuted, command=bundle.text("command", command), exit_code=None)
    appended = handle.append(
        [_checkpoint(call, mark), Request(bundle, executed, handle.provenance)], key=handle.key
    )
    version = appended.last_version
    fire_all(session._runtime, session.id, version)
    # What a trigger has done, now or in another process, is not done again; nor is what this command did before, if it
    # is repeated under its key.
    if not any(isinstance(event.body, ProgressInvalidated) for event in led_to(handle, version)):
        carry_out(handle, version, [action for action in actions if not acted(handle, version, action)])
    session.refresh()
    return appended.first_version, led_to(handle, version)
