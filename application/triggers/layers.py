"""The step back to the previous layer: its state as it was left, with what was decided since."""

from functools import partial
from typing import NamedTuple

from backstory.application.artifacts.registry import project_of, project_state
from backstory.application.branches.branch import backtrack
from backstory.application.contents.reader import ContentReader
from backstory.application.transaction import QueueHandle, Transaction
from backstory.application.triggers.acting import ActionContext, Outcome
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import facts
from backstory.domain.commands.artifacts import invalidate_progress
from backstory.domain.events import (
    ClarityChanged,
    ConstraintAdded,
    DecisionConfirmed,
    DecisionRecorded,
    LayerChanged,
)
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.state import ContextState

WHY = "facilitator backtrack"


class StepBack(NamedTuple):
    """The way from a layer to the one before it."""

    left_layer: int
    layer: int
    """The previous layer."""
    left_at: int | None
    """The last version on that layer; None for a session that was never there."""


def step_back(context: ActionContext) -> StepBack | None:
    """The way back from the layer that the change found; None from layer 0."""
    state = context.state_then()
    left = state.project_layer or 0
    if not left:
        return None
    reader = ContentReader.on_branch(context.handle.runtime, context.handle.id, context.event.version)
    for event in reversed(reader.events_of_type(LayerChanged.type)):
        if event.version > 1:
            before = context.handle.runtime.reader.state(context.handle.id, event.version - 1)
            if (before.project_layer or 0) == left - 1:
                return StepBack(left, left - 1, event.version - 1)
    return StepBack(left, left - 1, None)


def restore_historical_context(context: ActionContext) -> Outcome:
    """Makes the state current again in which the previous layer was left. What was decided since stays: decisions and
    constraints are recorded again, with the words and times that they had. `Session.redo` takes it back."""
    step = step_back(context)
    if step is None or step.left_at is None:
        return _nothing("the session was never on the previous layer")
    then = context.state_then()
    version = backtrack(context.handle.with_(key=f"{context.key}/back"), step.left_at, WHY)
    # Caused by the backtrack: so they are told apart from what is decided anew.
    kept = Transaction(QueueHandle.on(context.handle.with_(key=None, cause=version)))
    decisions, constraints = _carry(context, then, step.left_at, kept)
    detail = {
        "to": step.left_at,
        "backtrack": version,
        "abandoned": f"{step.left_at + 1}-{version - 1}",
        "decisions_kept": decisions,
        "constraints_kept": constraints,
    }
    return Outcome("done", detail, tuple(kept._handle.queue.requests))


def load_previous_layer_state(context: ActionContext) -> Outcome:
    """Sets the layer of the project, where the state that is current again has another one."""
    step = step_back(context)
    if step is None:
        return _nothing("the session is on layer 0")
    if context.state().project_layer == step.layer:
        return _nothing(f"the session is on layer {step.layer} again", layer=step.layer)
    return Outcome("done", {"layer": step.layer}, (_note(context, LayerChanged, project_layer=step.layer),))


def reset_clarity_if_needed(context: ActionContext) -> Outcome:
    """Sets the clarity to that with which the previous layer was left."""
    step = step_back(context)
    if step is None or step.left_at is None:
        return _nothing("no clarity is known of the previous layer")
    clarity = context.handle.runtime.reader.state(context.handle.id, step.left_at).clarity
    if clarity is None or context.state().clarity == clarity:
        return _nothing("the clarity is that of the previous layer", clarity=clarity)
    return Outcome("done", {"clarity": clarity}, (_note(context, ClarityChanged, clarity=clarity),))


def invalidate_forward_progress(context: ActionContext) -> Outcome:
    """Marks what was done on the later layers as no longer valid: the versions that were left, and the artifacts of
    those layers until they are loaded again."""
    step = step_back(context)
    if step is None:
        return _nothing("the session is on layer 0")
    found = project_of(context.state())
    registered = {} if found is None else project_state(context.handle.runtime, found[0]).artifacts
    artifacts = [id for id, note in sorted(registered.items()) if (note.project_layer or 0) > step.layer]
    left = () if step.left_at is None else range(step.left_at + 1, context.event.version + 1)
    command = partial(
        invalidate_progress,
        left_layer=step.left_layer,
        project_layer=step.layer,
        versions=as_ranges(left),
        artifacts=tuple(artifacts),
    )
    request = Request(ContentBundle(), command, context.handle.provenance)
    return Outcome("done", {"artifacts": artifacts, "versions": as_ranges(left)}, (request,))


def _carry(context: ActionContext, then: ContextState, after: int, kept: Transaction) -> tuple[int, int]:
    """Records again what was decided after a version. Returns the numbers of decisions and constraints."""
    decided = [note.id for note in then.decisions if note.id > after]
    ruled = [constraint for constraint in then.constraints if constraint > after]
    reader = ContentReader.on_branch(context.handle.runtime, context.handle.id, context.event.version)
    read = reader.events_with_contents([*decided, *ruled])
    decisions = constraints = 0
    for version in sorted(read):
        event, contents = read[version]
        body = event.body

        def text(ref: ContentRef | None, held: dict[int, bytes] = contents) -> str | None:
            data = None if ref is None else held.get(ref.part)
            return None if data is None else data.decode(errors="replace")

        writer = kept.occurred(event.occurred_at)
        writer = writer if event.actor is None else writer.by(event.actor)
        if isinstance(body, ConstraintAdded) and (rule := text(body.text)) is not None:
            writer.work.add_constraint(rule)
            constraints += 1
        elif isinstance(body, DecisionRecorded | DecisionConfirmed) and (said := text(body.text)) is not None:
            recorded = body if isinstance(body, DecisionRecorded) else None
            rejected = recorded.alternatives_rejected if recorded else ()
            impact = recorded.impact if recorded else ()
            writer.decide(
                said,
                rationale=text(body.rationale),
                alternatives_rejected=[one for ref in rejected if (one := text(ref)) is not None],
                impact=[one for ref in impact if (one := text(ref)) is not None],
                priority=recorded.priority if recorded else "medium",
                decided_by=body.decided_by,
                recorded_by=recorded.recorded_by if recorded else event.actor,
            )
            decisions += 1
    return decisions, constraints


def _note(context: ActionContext, body: type, **fields: object) -> Request:
    return Request(ContentBundle(), facts.note(body, **fields), context.handle.provenance)


def _nothing(why: str, **more: object) -> Outcome:
    return Outcome("nothing", {"why": why, **more})
