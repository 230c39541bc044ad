"""The facilitator's commands: a project that is clarified layer by layer."""

from functools import partial

from backstory.application.chat import status
from backstory.application.chat.answers import Answer, CommandCall
from backstory.application.chat.ideas import loaded_ideas
from backstory.application.chat.references import id_of, lines
from backstory.application.chat.syntax import unquoted
from backstory.application.checkpoints.creation import checkpoint_request
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import facts, sessions
from backstory.domain.context_document.rules import LAYER_NAMES
from backstory.domain.events import ClarityChanged, ItemSaved, LayerChanged
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW
from backstory.domain.window.checkpoints import LAYER

CLARIFYING = "clarify"
"""The phase that a clarify session sets."""
SESSION_END = "session end"


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
    """Saves the current idea under its id, in place of the one in the window."""
    text = call.text("the idea")
    older = loaded_ideas(call.session, call.state)
    body = older[-1].body
    assert isinstance(body, ItemSaved)
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
            clarity=body.clarity,
        )
    version = tx.version_of(saved)
    data = {"artifact": body.artifact, "item": version, "replaced": [event.version for event in older]}
    return Answer(f"{body.artifact} saved anew as version {version}", data, (tx.version_of(gone), version))


def previous_layer(call: CommandCall) -> Answer:
    """Returns to the previous layer and the clarity it was left with, after a checkpoint."""
    call.nothing_more()
    state = call.state
    layer = (state.project_layer or 0) - 1
    clarity = _clarity_on(call, layer)
    changes = [facts.note(LayerChanged, project_layer=layer)]
    if clarity is not None and clarity != state.clarity:
        changes.append(facts.note(ClarityChanged, clarity=clarity))
    handle = call.session._handle
    requests = [Request(ContentBundle(), change, handle.provenance) for change in changes]
    done = handle.append([_checkpoint(call, LAYER), *requests], key=handle.key)
    events = tuple(range(done.first_version, done.last_version + 1))
    now = state.clarity if clarity is None else clarity
    said = f"Back on layer {layer}, {LAYER_NAMES[layer]}" + (f", at {now} %" if now is not None else "")
    data = {
        "layer": layer,
        "layer_name": LAYER_NAMES[layer],
        "clarity": now,
        "checkpoint": done.first_version,
    }
    return Answer(said, data, events)


def _checkpoint(call: CommandCall, name: str) -> Request:
    """A checkpoint of the state as it is now, to be appended together with what changes it."""
    return checkpoint_request(call.session._handle, name, (name,), MAIN_WINDOW)


def _clarity_on(call: CommandCall, layer: int) -> int | None:
    """The clarity of the project when it left a layer upwards. None if it was never there."""
    for event in reversed(call.contents.events_of_type(LayerChanged.type)):
        before: ContextState = call.session.at(event.version - 1)
        if (before.project_layer or 0) == layer:
            return before.clarity
    return None


def end_session(call: CommandCall) -> Answer:
    """Summarizes the session if needed, takes a checkpoint, and ends it."""
    call.nothing_more()
    session = call.session
    summary = None if call.first else session._with(key=None).summarize()
    handle = session._handle
    end = Request(ContentBundle(), partial(sessions.end_session, why=None), handle.provenance)
    done = handle.append([_checkpoint(call, SESSION_END), end], key=handle.key)
    marked, ended = done.first_version, done.last_version
    events = (marked, ended) if summary is None else (summary, marked, ended)
    said = f"Session ended at version {ended}" + (", with a summary" if summary is not None else "")
    return Answer(said, {"summary": summary, "checkpoint": marked, "ended": ended}, events)
