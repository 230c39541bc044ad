"""The built-in actions: those of the context management document."""

from functools import partial

from backstory.application.artifacts.loading import ArtifactLoader, LoadedArtifacts
from backstory.application.artifacts.registry import project_of, project_state
from backstory.application.artifacts.session_artifacts import SessionArtifacts
from backstory.application.bootstrap import read_settings
from backstory.application.checkpoints.creation import checkpoint_request
from backstory.application.contents.reader import ContentReader
from backstory.application.files.tree import sync
from backstory.application.triggers.acting import Action, ActionContext, Outcome
from backstory.application.triggers.layers import (
    invalidate_forward_progress,
    load_previous_layer_state,
    reset_clarity_if_needed,
    restore_historical_context,
)
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.access import OWNER
from backstory.domain.artifacts.values import ESSENTIAL
from backstory.domain.commands import contexts, facts
from backstory.domain.commands.artifacts import loaded_artifacts, loaded_item, unload_artifacts
from backstory.domain.context_document.commands import available_commands
from backstory.domain.context_document.rules import LAYER_NAMES
from backstory.domain.events import DecisionConfirmed, DecisionRecorded
from backstory.domain.memory.values import Source
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW

SESSION_END = "session end"


# A transition to another layer


def unload_previous_layer_details(context: ActionContext) -> Outcome:
    """Takes the artifacts of the layer that was left out of the window, but those of load layer 1."""
    left = context.values["previous_layer"]
    state = context.state()
    wanted = [
        id
        for id in loaded_artifacts(state)
        if state.loaded[id].project_layer == left and state.loaded[id].load_layer > ESSENTIAL
    ]
    return _unloaded(context, wanted, f"layer {left} was left")


def load_new_layer_templates(context: ActionContext) -> Outcome:
    """Loads the templates of the layer that was entered, and what is likely to be needed there."""
    found = project_of(context.state())
    if found is None:
        return _nothing("the session belongs to no project")
    layer = context.values["current_layer"]
    registered = project_state(context.handle.runtime, found[0]).artifacts
    templates = [
        id
        for id, note in registered.items()
        if note.type == "template" and note.project_layer in (None, layer)
    ]
    loader = ArtifactLoader(context.handle)
    before = loaded_artifacts(context.state())
    done = loader.load_all(templates, loader.most_tokens)
    more = SessionArtifacts(context.handle).preload(layer)
    return _loaded(LoadedArtifacts((*done.loaded, *more.loaded), (*done.skipped, *more.skipped)), before)


def update_available_commands(context: ActionContext) -> Outcome:
    """Tells which chat commands the change made available, and which it took away."""
    before, after = _commands(context.state_before()), _commands(context.state_then())
    if before == after:
        return _nothing("the same commands are available")
    return Outcome("done", {"added": sorted(after - before), "removed": sorted(before - after)})


def refresh_clarity_tracking(context: ActionContext) -> Outcome:
    """Records clarity and progress as they are after the change."""
    state, before = context.state_then(), context.state_before()
    return Outcome(
        "done",
        {
            "layer": state.project_layer or 0,
            "clarity": state.clarity or 0,
            "clarity_change": (state.clarity or 0) - (before.clarity or 0),
            "decisions": state.decision_count,
            "open_questions": len(state.questions),
            "pending_actions": len(state.actions),
            "open_goals": len(state.goals),
            "tasks_completed": state.counters.get("tasks_completed", 0),
        },
    )


# A jump of the clarity


def update_context_clarity(context: ActionContext) -> Outcome:
    """Registers the clarity for the current idea of the project, as the context document shows it."""
    state, clarity = context.state_then(), context.values["current_clarity"]
    idea = state.project.current_idea if state.project else None
    found = project_of(state)
    if found is None or idea is None:
        return _nothing("the session has no current idea")
    note = project_state(context.handle.runtime, found[0]).artifacts.get(idea)
    if note is None or note.clarity == clarity:
        return _nothing(f"{idea} is not registered, or as clear already")
    context.session.memory.project.artifacts.register(idea, clarity=clarity)
    return Outcome("done", {"artifact": idea, "clarity": clarity})


# A decision of importance


def add_to_immutable_decisions(context: ActionContext) -> Outcome:
    """Pins the decision, so that it is in every context. The record of it is never changed in any case."""
    state, decision = context.state(), context.event.version
    if decision in state.pins or decision not in state.items:
        return _nothing("the decision is pinned already, or is no item of the session any more")
    pin = Request(ContentBundle(), partial(contexts.pin_item, item=decision), context.handle.provenance)
    return Outcome("done", {"decision": decision}, (pin,))


def update_project_state(context: ActionContext) -> Outcome:
    """Sets the project's status to where it stands after the decision."""
    state = context.state()
    if state.project is None:
        return _nothing("the session belongs to no project")
    layer = LAYER_NAMES[state.project_layer or 0]
    status = f"{layer}, clarity {state.clarity or 0} %, {state.decision_count} decisions"
    if state.project.status == status:
        return _nothing("the status says so already")
    project = state.project
    change = facts.set_project(
        name=project.name, id=project.id, current_idea=project.current_idea, status=status
    )
    return Outcome("done", {"status": status}, (Request(ContentBundle(), change, context.handle.provenance),))


def invalidate_outdated_context(context: ActionContext) -> Outcome:
    """Takes artifacts out of the window whose files say something else by now."""
    state, found = context.state(), project_of(context.state())
    if found is None:
        return _nothing("the session belongs to no project")
    loader = ArtifactLoader(context.handle)
    outdated = [id for id in loaded_artifacts(state) if loader.is_outdated(id, state.loaded[id].digest)]
    return _unloaded(context, outdated, "its file has changed")


def save_to_memory(context: ActionContext) -> Outcome:
    """Remembers the decision in the project's memory."""
    if project_of(context.state()) is None:
        return _nothing("the session belongs to no project")
    body = context.event.body
    if not isinstance(body, DecisionRecorded | DecisionConfirmed):
        return _nothing("the change is no decision")
    session, decision = context.session, context.event.version
    reader = ContentReader(context.handle.runtime, context.handle.runtime.reader.log_of(session.id, decision))
    held = reader.bytes_of([decision])
    said = [
        held[decision, ref.part].decode(errors="replace")
        for ref in (body.text, body.rationale)
        if ref is not None and (decision, ref.part) in held
    ]
    if not said:
        return _nothing("its words were erased")
    project = session.memory.project.once(f"{session.id}/{context.key}")
    memory = project.remember(
        ", because ".join(said), kind="decision", sources=[Source(session=session.id, items=(decision,))]
    )
    return Outcome("done", {"memory": memory})


# A window that fills up


def trigger_compaction(context: ActionContext) -> Outcome:
    """Takes the steps of the window policy for the usage."""
    done = context.session.before_call()
    return Outcome("done", {"steps": list(done.actions)}) if done.actions else _nothing("no step was due")


def summarize_and_compress(context: ActionContext) -> Outcome:
    """Replaces messages by a summary, if the window is above the policy's 70 % still."""
    done = context.session.window.compact("preserve_summarize_discard", trigger=context.trigger)
    if done.tokens_after >= done.tokens_before:
        return _nothing("nothing was to be gained")
    return Outcome("done", {"tokens_before": done.tokens_before, "tokens_after": done.tokens_after})


def preserve_critical_info(context: ActionContext) -> Outcome:
    """Checks that no decision was lost, and takes a checkpoint."""
    document = context.session.views.validate()
    mark = checkpoint_request(context.handle, context.trigger, (context.trigger,), MAIN_WINDOW)
    return Outcome("done", {"decisions": len(document["recent_decisions"]), "lost": 0}, (mark,))


# The end of a session


def full_sync_all_files(context: ActionContext) -> Outcome:
    """Writes the session's files, if a setting names a folder."""
    from backstory.application.store import ContextStore

    settings = read_settings()
    if not settings.sync_dir:
        return _nothing("BACKSTORY_SYNC_DIR is not set")
    # The folder is the operator's: it has all sessions, whoever has written just now.
    store = ContextStore(context.handle.runtime._replace(caller=OWNER, conditions=None))
    done = sync(
        store,
        settings.sync_dir,
        [context.handle.id],
        agent=None,
        editor=settings.sync_by or None,
        strict=False,
    )
    return Outcome("done", {"written": len(done.written), "unchanged": done.unchanged})


def create_session_summary(context: ActionContext) -> Outcome:
    """Sums the session up, if something was said since the last summary."""
    summary = context.session.summarize()
    return (
        _nothing("nothing was said since the last one")
        if summary is None
        else Outcome("done", {"summary": summary})
    )


def save_context_snapshot(context: ActionContext) -> Outcome:
    """Takes a checkpoint of the whole state."""
    mark = checkpoint_request(context.handle, SESSION_END, (context.trigger,), MAIN_WINDOW)
    return Outcome("done", {"name": SESSION_END}, (mark,))


def clear_temporary_data(context: ActionContext) -> Outcome:
    """Takes artifacts out of the window, but those of load layer 1. Their contents stay at hand for other sessions."""
    state = context.state()
    wanted = [id for id in loaded_artifacts(state) if state.loaded[id].load_layer > ESSENTIAL]
    return _unloaded(context, wanted, "the session ends")


def _commands(state: ContextState) -> set[str]:
    idea = state.project.current_idea if state.project else None
    loaded = idea is not None and loaded_item(state, idea) is not None
    return {row["command"] for row in available_commands(state, idea_loaded=loaded) if row["available"]}


def _nothing(why: str) -> Outcome:
    return Outcome("nothing", {"why": why})


def _unloaded(context: ActionContext, wanted: list[str], why: str) -> Outcome:
    if not wanted:
        return _nothing("no such artifact is loaded")
    if project_of(context.state()) is not None:
        ArtifactLoader(context.handle).cache(wanted)
    bundle = context.handle.bundle()
    command = partial(unload_artifacts, artifacts=tuple(wanted), why=bundle.text("why", why))
    return Outcome("done", {"unloaded": wanted}, (Request(bundle, command, context.handle.provenance),))


def _loaded(done: LoadedArtifacts, before: dict[str, int]) -> Outcome:
    new = [one.artifact for one in done.loaded if one.artifact not in before]
    detail = {"loaded": new, "skipped": {one.name: one.why for one in done.skipped}}
    return Outcome("done" if new else "nothing", detail)


BUILT_IN: dict[str, Action] = {
    action.__name__: action
    for action in (
        unload_previous_layer_details,
        load_new_layer_templates,
        update_available_commands,
        refresh_clarity_tracking,
        update_context_clarity,
        add_to_immutable_decisions,
        update_project_state,
        invalidate_outdated_context,
        save_to_memory,
        trigger_compaction,
        summarize_and_compress,
        preserve_critical_info,
        restore_historical_context,
        load_previous_layer_state,
        reset_clarity_if_needed,
        invalidate_forward_progress,
        full_sync_all_files,
        create_session_summary,
        save_context_snapshot,
        clear_temporary_data,
    )
}
BUILT_IN["refresh_available_actions"] = update_available_commands
BUILT_IN["update_progress_tracking"] = refresh_clarity_tracking
"""By name. Two of the document's actions have two names."""
