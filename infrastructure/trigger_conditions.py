"""The conditions of triggers: what they may name, and their check when they are configured."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from backstory.domain.errors import InvalidInput
from backstory.domain.triggers.change import NOTHING, VARIABLES, is_boss_decision
from backstory.domain.triggers.values import SETTING, Trigger
from backstory.infrastructure.expressions import Expression


@lru_cache(maxsize=256)
def condition(text: str) -> Expression:
    """A checked condition."""
    return Expression(text, VARIABLES, {"is_boss_decision": is_boss_decision})


def holds(text: str, values: Mapping[str, Any]) -> bool:
    """Whether a condition is true of a change. Raises InvalidInput where it cannot be told."""
    return condition(text).holds(values)


def require_conditions(triggers: Iterable[Trigger]) -> None:
    """Refuses a condition that does not parse, that names what there is not, or that cannot be told of a session in
    which nothing has happened yet."""
    for trigger in triggers:
        try:
            holds(trigger.condition, NOTHING)
        except InvalidInput as error:
            raise InvalidInput(f"{SETTING}.{trigger.name}.condition", error.rule) from None
