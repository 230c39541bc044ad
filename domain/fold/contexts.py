"""Folds of context events: prompts, summaries, assemblies, pins, noticed decisions."""

from backstory.domain import events as e
from backstory.domain.fold.bodies import count, drop_oldest, set_role
from backstory.domain.records import Candidate, Decision, LastAssembly, Summary
from backstory.domain.state import CANDIDATES_KEPT, COMPACTIONS_KEPT, DECISIONS_KEPT, PINS_KEPT, ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import microseconds

COUNTED_ALGORITHMS = ("cluster", "archive")
"""Compactions that run after a number of messages. The state keeps the count at the last one."""


def decision_noticed(state: ContextState, event: e.Event, body: e.DecisionNoticed) -> None:
    source = state.items.get(body.source)
    trust = Trust.UNTRUSTED.value if source is None else source.trust
    candidate = Candidate(event.version, microseconds(event.occurred_at), body.decided_by, body.source, trust)
    state.candidates = [*state.candidates, candidate][-CANDIDATES_KEPT:]


def decision_confirmed(state: ContextState, event: e.Event, body: e.DecisionConfirmed) -> None:
    at = microseconds(event.occurred_at)
    note = Decision(event.version, at, "medium", body.decided_by, event.actor)
    state.decisions = [*state.decisions, note][-DECISIONS_KEPT:]
    _no_candidate(state, body.candidate)


def decision_dismissed(state: ContextState, event: e.Event, body: e.DecisionDismissed) -> None:
    _no_candidate(state, body.candidate)


def _no_candidate(state: ContextState, decided: int) -> None:
    state.candidates = [candidate for candidate in state.candidates if candidate.id != decided]


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
