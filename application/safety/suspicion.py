"""The flags of what is written: for secrets, and for texts of untrusted origin that read like instructions."""

from collections.abc import Callable
from typing import Any

from backstory.application.safety.screen import is_text
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands.safety import QUARANTINED
from backstory.domain.effects import Effects, Judgement, Removal
from backstory.domain.events.base import Change
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.safety.instructions import INSTRUCTIONS, reads_like_instructions
from backstory.domain.trust import TRUST_OF_ORIGIN, Trust


def with_flags(change: Change, bundle: ContentBundle, policy: Callable[[], SafetyPolicy]) -> Change:
    """The change with the flags of the item that it brings, extends or revises. By the policy, an untrusted text that
    reads like instructions goes to quarantine."""
    effects = change.effects
    trust = _trust(effects)
    if trust is None:
        return change
    flags = {*bundle.flags}
    suspected = trust == Trust.UNTRUSTED and _has_instructions(bundle)
    if suspected:
        flags.add(INSTRUCTIONS)
    if not flags:
        return change
    quarantines = suspected and policy().instructions == "quarantine"
    return Change(change.body, _flagged(effects, tuple(sorted(flags)), quarantines=quarantines))


def _trust(effects: Effects) -> Trust | None:
    """The trust of the text that an item gets; None where no item gets any."""
    if effects.brings is not None:
        return effects.brings.own_trust
    grown = effects.extends or effects.revises
    if grown is None:
        return None
    return Trust.DERIVED if grown.origin is None else TRUST_OF_ORIGIN[grown.origin]


def _has_instructions(bundle: ContentBundle) -> bool:
    return any(
        is_text(content.media_type) and reads_like_instructions(content.data) for content in bundle.contents
    )


def _flagged(effects: Effects, flags: tuple[str, ...], *, quarantines: bool) -> Effects:
    brings, grown = effects.brings, effects.extends or effects.revises
    if brings is not None:
        arrives: dict[str, Any] = {"quarantined": True, "windows": ()} if quarantines else {}
        return effects.model_copy(update={"brings": brings.model_copy(update={"flags": flags, **arrives})})
    assert grown is not None
    verb = "extends" if effects.extends is not None else "revises"
    changes: dict[str, Any] = {verb: grown.model_copy(update={"flags": flags})}
    if quarantines:
        # An exchange arrives with its call; its results are what is suspected, and it leaves as a whole.
        changes["judges"] = Judgement(items=(grown.item,), quarantined=True)
        changes["removes"] = (*effects.removes, Removal(items=(grown.item,), disposition=QUARANTINED))
    return effects.model_copy(update=changes)
