"""Folds of context events: prompts, summaries, assemblies, pins, noticed decisions."""

from backstory.domain import events as e
from backstory.domain.fold.bodies import count, drop_oldest, set_role
from backstory.domain.records import Decision, LastAssembly, Summary
from backstory.domain.state import COMPACTIONS_KEPT, DECISIONS_KEPT, PINS_KEPT, ContextState
from backstory.domain.values import microseconds

COUNTED_ALGORITHMS = ("cluster", "archive")
"""Compactions that run after a number of messages. The state keeps the count at the last one."""


def decision_noticed(state: ContextState, event: e.Event, body: e.DecisionNoticed) -> None:
    at = microseconds(event.occurred_at)
    note = Decision(event.version, at, "medium", body.decided_by, None, body.source, False)
    state.decisions = [*state.decisions, note][-DECISIONS_KEPT:]


def decision_confirmed(state: ContextState, event: e.Event, body: e.DecisionConfirmed) -> None:
    state.decisions = [
        note._replace(confirmed=True, recorded_by=event.actor) if note.id == body.decision else note
        for note in state.decisions
    ]


def decision_dismissed(state: ContextState, event: e.Event, body: e.DecisionDismissed) -> None:
    state.decisions = [note for note in state.decisions if note.id != body.decision]
    count(state, "decisions_dismissed")


def system_prompt_set(state: ContextState, event: e.Event, body: e.SystemPromptSet) -> None:
    set_role(state, event, "system")
    state.system_prompt = event.version


def summary_made(state: ContextState, event: e.Event, body: e.SummaryMade) -> None:
    state.summary = Summary(event.version, body.upto, state.message_count)


def context_assembled(state: ContextState, event: e.Event, body: e.ContextAssembled) -> None:
    count(state, "assemblies")
    state.last_assembly = LastAssembly(event.version, body.at, body.window, body.tokens, body.budget)


def item_pinned(state: ContextState, event: e.Event, body: e.ItemPinned) -> None:
    state.pins[body.item] = event.version
    drop_oldest(state.pins, PINS_KEPT)


def item_unpinned(state: ContextState, event: e.Event, body: e.ItemUnpinned) -> None:
    state.pins.pop(body.item, None)


def items_compacted(state: ContextState, event: e.Event, body: e.ItemsCompacted) -> None:
    count(state, "compactions")
    # Of what was to leave some has left, for this reason or another.
    state.prune_plans.pop(body.window, None)
    state.compactions = [*state.compactions, event.version][-COMPACTIONS_KEPT:]
    if body.algorithm in COUNTED_ALGORITHMS:
        state.counters[f"messages_at_{body.algorithm}"] = state.message_count


def content_erased(state: ContextState, event: e.Event, body: e.ContentsErased) -> None:
    state.last_erasure = event.version
