"""How much of what a question asks about is found: the share of its evidence that is shown within a budget.

On ../shared/data: LoCoMo, five conversations of two people, and BEAM, ten chats with an assistant. The ranker's weights
were fitted on these five of LoCoMo, so here they are seen; scripts/fit_ranker.py prints what they find in conversations
that were left out, which is what counts. Nothing was fitted on BEAM.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from functools import cache, partial
from typing import Any

from backstory import ContextStore, Session
from backstory.domain.search.features import own_scores, rarities
from backstory.domain.search.ranking import most_for, rank, select
from backstory.domain.search.terms import terms
from benchmarks.evidence import BUDGETS, ENCODING, Conversation, Selector, conversations, recalls
from benchmarks.goals import Row
from benchmarks.kept import by_budget, keep

GOALS = {"locomo": (0.78, 0.84, 0.88, 0.93, 0.97), "beam": (0.66, 0.76, 0.83, 0.88)}
WINDOW = 8_000
CHECKED_EVERY = 2
"""Turns between two checks of the window."""
ASKED = "context() after the question"
"""Without a query: the question is the newest message."""
ALLOWED = 0.01
"""What a window with a limit may find less."""


def recall_rows(new_database: Callable[[], str], *, quick: bool) -> Iterator[Row]:
    """Rows for the ranking alone, for others beside it, and for contexts as the store renders them, which `quick`
    leaves out."""
    panels: dict[str, dict[str, dict[str, float]]] = {}
    for name, budgets in BUDGETS.items():
        held = conversations(name)
        if not held:
            print(f"{name}-dev.json is not in ../shared/data: left out", file=sys.stderr)
            continue
        offline: dict[str, Selector] = {"recency": recency, "BM25 over turns": bm25, "ranking alone": ranked}
        try:
            offline["trim_messages"] = trimmer()
        except ModuleNotFoundError as missing:
            print(f"{missing.name} is not installed: trim_messages left out", file=sys.stderr)
        for what, selector in offline.items():
            goals = GOALS[name] if selector is ranked else None
            found = recalls(selector, held, budgets)
            panels.setdefault(name, {})[what] = by_budget(budgets, found)
            yield _row(f"{name}, {what}", found, budgets, goals)
        if quick:
            continue
        for limit in (None, WINDOW):
            found = _rendered(new_database(), name, held, limit=limit)
            what = "context(query=…)" + (f", window of {limit:,}" if limit else "")
            panels[name][what] = by_budget(budgets, found)
            goals = [round(goal - (ALLOWED if limit else 0), 2) for goal in GOALS[name]]
            yield _row(f"{name}, {what}", found, budgets, goals)
        found = _after_the_question(new_database(), name, held)
        panels[name][ASKED] = by_budget(budgets, found)
        yield _row(f"{name}, {ASKED}", found, budgets, None)
    if panels and not quick:
        keep("recall", panels)


def ranked(conversation: Conversation, query: str, budget: int) -> list[int]:
    """Backstory's ranking over bare texts."""
    hits = rank(query, conversation.corpus(query), most=most_for(budget), unmatched=True)
    return select(hits, {hit.position: conversation.turns[hit.position].tokens for hit in hits}, budget)


def recency(conversation: Conversation, query: str, budget: int) -> list[int]:
    return _filled(conversation, range(len(conversation.turns) - 1, -1, -1), budget)


def bm25(conversation: Conversation, query: str, budget: int) -> list[int]:
    """Each turn alone, in the order of its score."""
    corpus = conversation.corpus(query)
    own = own_scores(rarities(terms(query), corpus), corpus)
    return _filled(conversation, sorted(own, key=lambda place: (-own[place], -place)), budget)


def trimmer() -> Selector:
    """LangChain's trim_messages, which keeps the newest messages."""
    from langchain_core.messages import HumanMessage, trim_messages

    # Whatever is asked, the same is kept.
    @cache
    def kept(conversation: Conversation, budget: int) -> list[int]:
        messages = [HumanMessage("", id=str(place)) for place in range(len(conversation.turns))]

        def tokens(found: Sequence[Any]) -> int:
            return sum(conversation.turns[int(one.id)].tokens for one in found)

        return [int(one.id) for one in trim_messages(messages, max_tokens=budget, token_counter=tokens)]

    return lambda conversation, query, budget: kept(conversation, budget)


def _filled(conversation: Conversation, places: Iterable[int], budget: int) -> list[int]:
    shown = []
    for place in places:
        if conversation.turns[place].tokens <= budget:
            shown.append(place)
            budget -= conversation.turns[place].tokens
    return shown


def _rendered(url: str, name: str, held: Sequence[Conversation], *, limit: int | None) -> list[float]:
    """Contexts of the store itself. A turn is shown where its whole text stands in what the model gets."""
    budgets = BUDGETS[name]
    with ContextStore.open(url) as store:
        sessions = {one.name: _recorded(store, one, limit) for one in held}
        return recalls(partial(_shown, sessions), held, budgets)


def _after_the_question(url: str, name: str, held: Sequence[Conversation]) -> list[float]:
    budgets = BUDGETS[name]
    with ContextStore.open(url) as store:
        sessions = {one.name: _recorded(store, one, None) for one in held}

        @cache
        def shown(conversation: Conversation, query: str) -> dict[int, list[int]]:
            session = sessions[conversation.name]
            before = session.version
            session.message(query)
            found = {budget: _shown(sessions, conversation, None, budget) for budget in budgets}
            session.backtrack(before, "the next question")
            return found

        return recalls(lambda conversation, query, budget: shown(conversation, query)[budget], held, budgets)


def _recorded(store: ContextStore, conversation: Conversation, limit: int | None) -> Session:
    session = store.start(title=conversation.name, limit=limit, encoding=ENCODING)
    for place, turn in enumerate(conversation.turns):
        # The turns of one day share a time, and each needs one of its own.
        writer = session.occurred(turn.time + timedelta(seconds=place))
        if turn.name is None:
            writer.message(turn.text, role="user" if turn.speaker == "user" else "agent")
        else:
            writer.by(turn.name).message(turn.text)
        if limit and place % CHECKED_EVERY == CHECKED_EVERY - 1:
            writer.before_call()
    return session


def _shown(
    sessions: dict[str, Session], conversation: Conversation, query: str | None, budget: int
) -> list[int]:
    context = sessions[conversation.name].context(
        budget, query=query, reserve=0, format="markdown", record=False, summary=None
    )
    text = " ".join((context.text or "").split())
    return [place for place, turn in enumerate(conversation.turns) if " ".join(turn.text.split()) in text]


def _row(what: str, found: Sequence[float], budgets: Sequence[int], goals: Sequence[float] | None) -> Row:
    measured = "  ".join(
        f"{budget // 100 / 10:g}k {share:.3f}" for budget, share in zip(budgets, found, strict=True)
    )
    if goals is None:
        return Row(what, measured, "–", None)
    met = all(round(share, 2) >= goal for share, goal in zip(found, goals, strict=True))
    return Row(what, measured, "  ".join(f"{goal:.2f}" for goal in goals), met)
