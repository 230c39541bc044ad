"""Memories before they are recorded, made of one part of a session."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from backstory.application.archive.fragment import fragment_of, is_worth_it
from backstory.application.archive.material import Material, entities_of
from backstory.application.memory.remember import Maker
from backstory.application.runtime import Runtime
from backstory.domain.memory.noticed import Noticed
from backstory.domain.memory.values import MemoryDraft, Source
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.trust import TRUST_OF_ORIGIN, Origin, Trust, least_trust
from backstory.infrastructure.llm.noticing import notice

RECORDED = "archive/1"
"""The maker of a memory whose words were recorded in the session as a decision, a lesson or a preference."""


class Draft(NamedTuple):
    """A memory before it is recorded."""

    memory: MemoryDraft
    maker: Maker
    origin: Origin
    """Whose words it is made of."""
    trust: Trust
    """The least of what it is made of."""
    at: datetime
    """The time at which it was known."""
    sure: bool
    """Whether it becomes a memory at once, and no candidate."""


def drafts_of(
    runtime: Runtime,
    session: UUID,
    state: ContextState,
    material: Material,
    policy: MemoryPolicy,
    *,
    title: str | None,
    asked: bool,
    whole: bool,
) -> list[Draft]:
    """The memories of a part: the fragment first, if it is worth one or `asked` for, then what was recorded there as a
    decision, a lesson or a preference, then what is noticed in its messages."""
    rows = {item.id: item for item in material.part.items}
    found: list[Draft] = []
    if asked or is_worth_it(material, policy):
        made = fragment_of(runtime, session, state, material, policy, title=title, whole=whole)
        if made is not None:
            trust = _trust(rows, material.items, "model")
            found.append(Draft(made.draft, made.maker, "model", trust, material.ended, True))
    found += _recorded(session, material, rows)
    found += _noticed(runtime, session, material, rows, policy)
    return found


def _recorded(session: UUID, material: Material, rows: dict[int, Item]) -> Iterator[Draft]:
    for saved in material.saved:
        yield _draft(
            session, material, rows, saved.noticed, Maker(RECORDED), agent=saved.agent, title=saved.title
        )


def _noticed(
    runtime: Runtime, session: UUID, material: Material, rows: dict[int, Item], policy: MemoryPolicy
) -> Iterator[Draft]:
    if not (policy.notice and policy.most_noticed and material.said):
        return
    found = notice(runtime.summarizer, material.said)
    # What is sure comes first, where there is too much.
    chosen = sorted(found.noticed, key=lambda one: not one.sure)[: policy.most_noticed]
    maker = Maker(found.made_by, found.model, found.prompt_version, found.fallback)
    for one in sorted(chosen, key=lambda one: one.items):
        yield _draft(session, material, rows, one, maker, model=found.model is not None)


def _draft(
    session: UUID,
    material: Material,
    rows: dict[int, Item],
    noticed: Noticed,
    maker: Maker,
    *,
    model: bool = False,
    agent: str | None = None,
    title: str | None = None,
) -> Draft:
    text = noticed.text if noticed.rationale is None else f"{noticed.text} (because {noticed.rationale})"
    memory = MemoryDraft(
        kind=noticed.kind,
        text=text,
        title=title,
        entities=entities_of(text),
        agent=agent,
        sources=(Source(session=session, items=noticed.items),),
    )
    # Words that were taken over as they stand have the origin of their item.
    origin: Origin = "model" if model else rows[noticed.items[0]].origin
    at = max(material.times[item] for item in noticed.items)
    return Draft(memory, maker, origin, _trust(rows, noticed.items, origin), at, noticed.sure)


def _trust(rows: dict[int, Item], items: tuple[int, ...], origin: Origin) -> Trust:
    return least_trust((Trust(rows[item].trust) for item in items), TRUST_OF_ORIGIN[origin])
