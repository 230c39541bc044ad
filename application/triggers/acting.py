"""The actions of triggers by name: the built-in ones, and those that users register."""

import importlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from backstory.application.bootstrap import read_settings
from backstory.application.handle import SessionHandle
from backstory.application.writing.requests import Request
from backstory.domain.errors import InvalidInput
from backstory.domain.events import Event
from backstory.domain.state import ContextState

if TYPE_CHECKING:
    from backstory.application.session import Session


class Outcome(NamedTuple):
    """What an action did."""

    outcome: Literal["done", "nothing", "failed"] = "done"
    detail: dict[str, Any] = {}  # noqa: RUF012
    """More about it, as JSON. It is recorded with the action."""
    requests: tuple[Request, ...] = ()
    """Writes to be appended together with the record of the action."""


class ActionContext(NamedTuple):
    """The change that an action is carried out for."""

    handle: SessionHandle
    trigger: str
    """The trigger."""
    event: Event
    """The change."""
    values: dict[str, Any]
    """The values that its condition was told of."""
    key: str
    """A key that is the action's alone: whatever it writes elsewhere under it is written once."""

    @property
    def session(self) -> "Session":
        """The session. What is written through it names the firing as its cause."""
        from backstory.application.session import Session

        return Session(self.handle)

    def state_before(self) -> ContextState:
        """The state before the change."""
        version = self.event.version - 1
        if not version:
            return ContextState(self.handle.id)
        return self.handle.runtime.reader.state(self.handle.id, version)

    def state_then(self) -> ContextState:
        """The state right after the change."""
        return self.handle.runtime.reader.state(self.handle.id, self.event.version)

    def state(self) -> ContextState:
        """The newest state."""
        return self.handle.runtime.reader.state(self.handle.id)


Action = Callable[[ActionContext], Outcome | None]

_REGISTERED: dict[str, Action] = {}


def register_action(name: str, action: Action) -> None:
    """Registers an action of your own, as 'module:name', for the triggers that this process fires. It may be called
    again for the same firing, if a process died between the action and its record, so doing it twice must have the
    effect of once. It returns an Outcome, or None for done."""
    if not isinstance(name, str) or name.count(":") != 1 or not all(name.split(":")):
        raise InvalidInput("name", f"must be as in 'module:name', got {name!r}")
    if not callable(action):
        raise InvalidInput("action", f"must be callable, got {type(action).__name__}")
    _REGISTERED[name] = action


def action_named(name: str) -> Action | None:
    """An action, or None if this process knows none of the name. Those that the setting `actions` names are loaded."""
    from backstory.application.triggers.actions import BUILT_IN

    if name in BUILT_IN:
        return BUILT_IN[name]
    if name not in _REGISTERED and name in [one.strip() for one in read_settings().actions.split(",")]:
        register_action(name, _loaded(name))
    return _REGISTERED.get(name)


def is_known(name: str) -> bool:
    """Whether a trigger may ask for an action: one of the built-in ones, or one of the user's own."""
    from backstory.application.triggers.actions import BUILT_IN

    return name in BUILT_IN or ":" in name


def _loaded(name: str) -> Action:
    module, _, attribute = name.partition(":")
    # As `python -m` does: a program that is installed would not look where it was called.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Action = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InvalidInput("actions", f"{name!r} cannot be loaded as module:name: {error}") from None
    return found
