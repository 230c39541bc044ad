"""Policies for agents that work with tools: most of what they are sent is results, and most of those are needed for a
few calls only. What they were asked for, what was decided and the names they have met are needed longer."""

from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.policies.window import WindowPolicy

AGENT_WINDOW = WindowPolicy(
    name="agent-work",
    stubs_from=0.01,
    stub_results_older_than=4,
    recent_results_tokens=2_000,
    stub_step=2,
)
"""Tool results become stubs after four exchanges, however empty the window is, and large ones sooner: besides the
newest one, recent results are whole up to 2,000 tokens. In recorded runs, of ten names that an agent takes from results
eight are in the newest three; and a stub keeps the names that its result told of."""

AGENT_CONTEXT = AssemblyPolicy(
    name="agent-work",
    shares={"pins": 0.15, "summary": 0.05, "history": 0.65, "entities": 0.05, "hot": 0.10},
    fills=False,
    history_messages=4,
    history_kept=8,
    history_step=4,
    history_tokens=1_000_000,
    decisions=10,
    older_candidates=0,
    entity_messages=100,
    entities=60,
    entities_of_history=False,
)
"""The newest exchanges whole, however large one of them is, what is pinned, the summary, ten decisions, since no older
ones are looked for by relevance, and the names that were met in the last hundred messages; no other older items, since
they cost more tokens than they are used for."""

AGENT_SUMMARY = SummaryPolicy(name="agent-work", most_tokens=400)
"""A shorter summary: in each call of a run it is sent again, and of a thousand tokens it held no more of what was used
later than of four hundred, where the names that were met are told beside it."""
