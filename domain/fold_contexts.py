"""What the events of contexts do to the state: prompts, summaries, assemblies, pins, noticed decisions."""

from backstory.domain import events as e
from backstory.domain.fold_bodies import FOLDS, count, drop_oldest, folds, set_role
from backstory.domain.records import Decision, LastAssembly, Summary
from backstory.domain.state import COMPACTIONS_KEPT, DECISIONS_KEPT, PINS_KEPT, ContextState
from backstory.domain.values import microseconds

__all__ = ["FOLDS", "folds"]

COUNTED_ALGORITHMS = ("cluster", "archive")
"""Compactions that come after so many messages: the state knows how many there were at the last one."""


@folds(e.DecisionNoticed)
def _decision_noticed(state: ContextState, event: e.Event, body: e.DecisionNoticed) -> None:
    at = microseconds(event.occurred_at)
    note = Decision(event.version, at, "medium", body.decided_by, None, body.source, False)
    state.decisions = [*state.decisions, note][-DECISIONS_KEPT:]


@folds(e.DecisionConfirmed)
def _decision_confirmed(state: ContextState, event: e.Event, body: e.DecisionConfirmed) -> None:
    state.decisions = [
        note._replace(confirmed=True, recorded_by=event.actor) if note.id == body.decision else note
        for note in state.decisions
    ]


@folds(e.DecisionDismissed)
def _decision_dismissed(state: ContextState, event: e.Event, body: e.DecisionDismissed) -> None:
    state.decisions = [note for note in state.decisions if note.id != body.decision]


@folds(e.SystemPromptSet)
def _system_prompt_set(state: ContextState, event: e.Event, body: e.SystemPromptSet) -> None:
    set_role(state, event, "system")
    state.system_prompt = event.version


@folds(e.SummaryMade)
def _summary_made(state: ContextState, event: e.Event, body: e.SummaryMade) -> None:
    state.summary = Summary(event.version, body.upto, state.message_count)


@folds(e.ContextAssembled)
def _context_assembled(state: ContextState, event: e.Event, body: e.ContextAssembled) -> None:
    count(state, "assemblies")
    state.last_assembly = LastAssembly(event.version, body.at)


@folds(e.ItemPinned)
def _item_pinned(state: ContextState, event: e.Event, body: e.ItemPinned) -> None:
    state.pins[body.item] = event.version
    drop_oldest(state.pins, PINS_KEPT)


@folds(e.ItemUnpinned)
def _item_unpinned(state: ContextState, event: e.Event, body: e.ItemUnpinned) -> None:
    state.pins.pop(body.item, None)


@folds(e.ItemsCompacted)
def _items_compacted(state: ContextState, event: e.Event, body: e.ItemsCompacted) -> None:
    count(state, "compactions")
    state.compactions = [*state.compactions, event.version][-COMPACTIONS_KEPT:]
    if body.algorithm in COUNTED_ALGORITHMS:
        state.counters[f"messages_at_{body.algorithm}"] = state.message_count


@folds(e.ContentErased)
def _content_erased(state: ContextState, event: e.Event, body: e.ContentErased) -> None:
    state.last_erasure = event.version
