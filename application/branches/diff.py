"""The differences between two states of a session."""

from dataclasses import dataclass

from backstory.domain.records import Decision, Goal, Item
from backstory.domain.state import DECISIONS_KEPT, ContextState


@dataclass(frozen=True)
class Diff:
    """From one version to another: what came into the windows and left them, what was decided, how goals and
    tokens changed. Between branches it is what one has and the other has not."""

    from_version: int
    to_version: int
    items_in: tuple[Item, ...]
    items_out: tuple[Item, ...]
    items_changed: tuple[Item, ...]
    """As they are at the second version."""
    decisions_added: tuple[Decision, ...]
    decisions_gone: tuple[Decision, ...]
    goals_added: dict[int, Goal]
    goals_gone: dict[int, Goal]
    goals_changed: dict[int, Goal]
    questions_opened: tuple[int, ...]
    questions_closed: tuple[int, ...]
    tokens: dict[str, tuple[int, int]]
    """By window: tokens at the first version, and at the second."""

    @property
    def tokens_change(self) -> int:
        """The change of the tokens in the main window."""
        before, after = self.tokens.get("main", (0, 0))
        return after - before


def diff_states(before: ContextState, after: ContextState) -> Diff:
    old_decisions = {decision.id: decision for decision in before.decisions}
    new_decisions = {decision.id: decision for decision in after.decisions}
    windows = dict.fromkeys([*before.windows, *after.windows])
    return Diff(
        from_version=before.version,
        to_version=after.version,
        items_in=tuple(item for key, item in after.items.items() if key not in before.items),
        items_out=tuple(item for key, item in before.items.items() if key not in after.items),
        items_changed=tuple(
            item for key, item in after.items.items() if key in before.items and before.items[key] != item
        ),
        decisions_added=_missing(new_decisions, old_decisions),
        decisions_gone=_missing(old_decisions, new_decisions),
        goals_added={key: goal for key, goal in after.goals.items() if key not in before.goals},
        goals_gone={key: goal for key, goal in before.goals.items() if key not in after.goals},
        goals_changed={
            key: goal
            for key, goal in after.goals.items()
            if key in before.goals and before.goals[key] != goal
        },
        questions_opened=tuple(key for key in after.questions if key not in before.questions),
        questions_closed=tuple(key for key in before.questions if key not in after.questions),
        tokens={
            name: (
                before.windows[name].tokens if name in before.windows else 0,
                after.windows[name].tokens if name in after.windows else 0,
            )
            for name in windows
        },
    )


def _missing(decisions: dict[int, Decision], elsewhere: dict[int, Decision]) -> tuple[Decision, ...]:
    """The decisions that another state does not have. It keeps the newest only: where it is full, one that is
    older than all of them is out of its sight, which says nothing."""
    in_sight = min(elsewhere) if len(elsewhere) >= DECISIONS_KEPT else 0
    return tuple(decision for key, decision in decisions.items() if key not in elsewhere and key >= in_sight)
