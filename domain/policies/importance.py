"""The first importance of an item when the caller gives none, and the tier that follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from backstory.domain.messages.signals import Signals, signals
from backstory.domain.values import Tier


@dataclass(frozen=True)
class ImportancePolicy:
    """First importance by type, and for messages by role and by what they contain, with the thresholds of the tiers.

    A message begins at its role's base and is raised by what it contains, within the role's range. The ranges and the
    boosts are those of the short-term context document. The bases are chosen so that

    - a plain user message is at the lower end of its range, for every boost to show;
    - an agent's message that says little ("OK, done.") falls below 0.5, where recent history begins to leave
      messages out, and one that says something does not: that is the boost for substance;
    - a system event is below 0.5 too, unless it tells of an error or of code.

    A tool exchange is weighed like a message by the text that the agent says with the call; its range begins at its
    own base, since calls without a word are the rule.
    """

    name: str = "default"
    """The name. Why: several policies may exist. Events hold only the resulting importance."""
    version: int = 1
    """The version of the numbers. Why: it is raised when they change."""
    hot: float = 0.8
    """The score from which an item is HOT. Why: CodeFRAME's threshold, as in the tier policy."""
    warm: float = 0.4
    """The score from which an item is WARM; below it is COLD. Why: CodeFRAME's threshold, as in the tier policy."""
    other: float = 0.5
    """The first importance of types that are not listed. Why: WARM, because nothing is known about them; Quaid's
    default."""
    by_type: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "task": 1.0,
                "decision": 0.9,
                "goal": 0.9,
                "constraint": 0.9,
                "question": 0.8,
                "action": 0.7,
                "error": 0.8,
                "code": 0.7,
                "tool_exchange": 0.5,
                "test_result": 0.6,
                "prd_section": 0.6,
                "summary": 0.8,
            }
        )
    )
    """The first importance of items other than messages. Why: CodeFRAME gives 1.0 to a current task. Decisions, goals
    and constraints bind later work and stay HOT for some hours; open questions and errors start HOT; results start
    WARM."""
    by_role: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({"user": 0.7, "agent": 0.4, "system": 0.4})
    )
    """The base importance of a message. Why: for users the lower end of the range, so that every boost counts; for
    others below the 0.5 that the history requires."""
    ranges: Mapping[str, tuple[float, float]] = field(
        default_factory=lambda: MappingProxyType(
            {"user": (0.7, 1.0), "agent": (0.4, 0.8), "system": (0.3, 0.6), "tool_exchange": (0.5, 0.8)}
        )
    )
    """The bounds of a message's importance. Why: Quaid's ranges."""
    decision: float = 0.2
    """Added for a message that decides something. Why: Quaid's boost."""
    code: float = 0.1
    """Added for a message that contains code or a file. Why: Quaid's boost."""
    remember: float = 0.3
    """Added for a message that asks to remember something. Why: Quaid's boost."""
    trouble: float = 0.15
    """Added for a message that mentions an error or a failure. Why: Quaid's boost."""
    substance: float = 0.1
    """Added for an agent's message of some length. Why: it reaches 0.5, which the history requires."""
    substantial: int = 80
    """The number of characters from which a message has some length. Why: acknowledgements are rarely longer."""
    read: int = 4_000
    """The number of characters that are read of a message. Why: every write reads them, which takes some
    microseconds."""

    def first_importance(self, type_: str, role: str | None = None, text: str | None = None) -> float:
        """Between 0 and 1. Without a text, a message is taken for one of its role that has something to say."""
        if type_ == "message" and role is not None:
            base, kind = self.by_role.get(role, self.other), role
        elif type_ == "tool_exchange":
            base, kind = self.by_type.get(type_, self.other), type_
        else:
            return self.by_type.get(type_, self.other)
        if role == "agent" and kind == role and (text is None or len(text) >= self.substantial):
            base += self.substance
        if text and role is not None:
            base += self._boost(signals(text[: self.read], role))
        lowest, highest = self.ranges.get(kind, (0.0, 1.0))
        # Rounded, or 0.7 and 0.1 would not make the 0.8 at which HOT begins.
        return round(min(highest, max(lowest, base)), 4)

    def _boost(self, said: Signals) -> float:
        return (
            self.decision * said.decision
            + self.code * said.code
            + self.remember * said.remember
            + self.trouble * said.trouble
        )

    def tier(self, score: float) -> Tier:
        return Tier.HOT if score >= self.hot else Tier.WARM if score >= self.warm else Tier.COLD


DEFAULT_IMPORTANCE = ImportancePolicy()
