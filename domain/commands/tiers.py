"""Commands on tiers."""

from collections.abc import Iterable
from datetime import datetime

from backstory.domain import events as e
from backstory.domain.effects import Effects
from backstory.domain.events.base import Change
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.policies.tiers import Move, TierPolicy
from backstory.domain.values import Tier, build


def reassign_tiers(*, moves: Iterable[Move], policy: TierPolicy, as_of: datetime) -> Change:
    """Puts items into the tiers that they are worth."""
    tiers: dict[Tier, list[int]] = {}
    for move in moves:
        tiers.setdefault(Tier(move.after), []).append(move.item)
    body = build(
        e.TiersReassigned,
        as_of=as_of,
        policy=policy.name,
        policy_version=policy.version,
        changes={tier: as_ranges(items) for tier, items in tiers.items()},
    )
    return Change(body, Effects(tiers={tier: tuple(sorted(items)) for tier, items in tiers.items()}))


def keep_working_set(*, agent: str | None, tier: str, items: Iterable[int], digests: ContentRef) -> Change:
    """Records the contents that an agent has of a tier."""
    return Change(build(e.WorkingSetKept, agent=agent, tier=tier, items=as_ranges(items), digests=digests))
