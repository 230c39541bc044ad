"""Commands on windows: the choice of a session's policy."""

from typing import Any, ClassVar, Protocol

from backstory.domain import events as e
from backstory.domain.effects import NO_EFFECTS, Effects
from backstory.domain.errors import InvalidInput
from backstory.domain.events.base import Change
from backstory.domain.policies.tiers import TIER_LABEL, TierPolicy
from backstory.domain.policies.window import ZONES_LABEL, WindowPolicy
from backstory.domain.values import build


class Policy(Protocol):
    """Numbers that a session can choose to go by."""

    kind: ClassVar[str]

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    def settings(self) -> dict[str, Any]: ...


def choose_policy(policy: Policy) -> Change:
    """Any number may choose at once: the last one holds."""
    if getattr(type(policy), "kind", None) is None or not callable(getattr(policy, "settings", None)):
        raise InvalidInput(
            "policy", f"must be a WindowPolicy, a TierPolicy or a PruningPolicy, got {type(policy).__name__}"
        )
    return Change(
        build(
            e.PolicyChosen,
            kind=policy.kind,
            name=policy.name,
            version=policy.version,
            settings=policy.settings(),
        ),
        _listed(policy),
    )


def _listed(policy: Policy) -> Effects:
    if isinstance(policy, TierPolicy):
        # The SQL that keeps when each item is due finds the numbers there.
        return Effects(labels={TIER_LABEL: policy.as_label()})
    if isinstance(policy, WindowPolicy):
        return Effects(labels={ZONES_LABEL: policy.zones_label()})
    return NO_EFFECTS
