"""Triggers as they are configured."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from backstory.domain.errors import InvalidInput
from backstory.domain.values import Value, build

KIND = "triggers"
"""The kind of policy that a project's triggers are recorded as."""
SETTING = "refresh_triggers"
MOST_TRIGGERS, MOST_ACTIONS, LONGEST_CONDITION = 50, 20, 1_000

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,99}")
_ACTION = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,99}(?::[A-Za-z][A-Za-z0-9_.-]{0,99})?")


def _checked(pattern: re.Pattern[str], what: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(f"must be {what}, got {text!r}")
        return text

    return AfterValidator(check)


TriggerName = Annotated[str, _checked(_NAME, "a name of letters, digits, '_', '-' and '.'")]
ActionName = Annotated[str, _checked(_ACTION, "the name of an action; one of your own as 'module:name'")]


class Trigger(Value):
    """A trigger: when its condition comes true, its actions are carried out in order."""

    name: TriggerName
    """Its name."""
    enabled: bool = True
    """Whether it fires."""
    condition: str = Field(min_length=1, max_length=LONGEST_CONDITION)
    """An expression over the change: see the how-to page on triggers."""
    actions: tuple[ActionName, ...] = Field(min_length=1, max_length=MOST_ACTIONS)
    """The actions, by name."""


DEFAULT_TRIGGERS = (
    Trigger(
        name="layer_transition",
        condition="current_layer != previous_layer",
        actions=(
            "unload_previous_layer_details",
            "load_new_layer_templates",
            "update_available_commands",
            "refresh_clarity_tracking",
        ),
    ),
    Trigger(
        name="clarity_significant_change",
        condition="abs(current_clarity - previous_clarity) >= 10",
        actions=("update_context_clarity", "refresh_available_actions", "update_progress_tracking"),
    ),
    Trigger(
        name="boss_major_decision",
        condition="is_boss_decision(message) AND priority == 'high'",
        actions=(
            "add_to_immutable_decisions",
            "update_project_state",
            "invalidate_outdated_context",
            "save_to_memory",
        ),
    ),
    Trigger(
        name="context_window_threshold",
        condition="context_usage_percent > 70",
        actions=("trigger_compaction", "summarize_and_compress", "preserve_critical_info"),
    ),
    Trigger(
        name="backtrack_initiated",
        condition="command == 'facilitator backtrack'",
        actions=(
            "restore_historical_context",
            "load_previous_layer_state",
            "reset_clarity_if_needed",
            "invalidate_forward_progress",
        ),
    ),
    Trigger(
        name="session_end",
        condition="command == 'facilitator end session'",
        actions=(
            "full_sync_all_files",
            "create_session_summary",
            "save_context_snapshot",
            "clear_temporary_data",
        ),
    ),
)
"""Those of the context management document."""


def checked_triggers(given: Sequence[Trigger | Mapping[str, Any]]) -> tuple[Trigger, ...]:
    """Triggers that can be recorded: each with a name of its own."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise InvalidInput(SETTING, f"must be a list, got {type(given).__name__}")
    if len(given) > MOST_TRIGGERS:
        raise InvalidInput(SETTING, f"must be at most {MOST_TRIGGERS}, got {len(given)}")
    triggers = []
    for place, one in enumerate(given):
        if not isinstance(one, Trigger | Mapping):
            raise InvalidInput(f"{SETTING}.{place}", f"must be an object, got {type(one).__name__}")
        try:
            triggers.append(one if isinstance(one, Trigger) else _read(one))
        except InvalidInput as error:
            raise InvalidInput(f"{SETTING}.{place}.{error.field}", error.rule) from None
    names = [one.name for one in triggers]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(SETTING, f"has two triggers of the name {name!r}")
    return tuple(triggers)


def recorded_triggers(chosen: Mapping[str, Any] | None) -> tuple[Trigger, ...]:
    """The triggers that a project's state has; none where none were configured."""
    if chosen is None:
        return ()
    return tuple(_read(one) for one in chosen["settings"].get(SETTING, ()))


def as_settings(triggers: Sequence[Trigger]) -> dict[str, Any]:
    """The triggers as a project's state keeps them."""
    return {SETTING: [as_document(one) for one in triggers]}


def as_document(trigger: Trigger) -> dict[str, Any]:
    """A trigger as it stands in `config.json`."""
    return {
        "name": trigger.name,
        "enabled": trigger.enabled,
        "condition": trigger.condition,
        "actions": list(trigger.actions),
    }


def _read(given: Mapping[str, Any]) -> Trigger:
    fields = {str(name): value for name, value in given.items()}
    if isinstance(fields.get("actions"), list):
        fields["actions"] = tuple(fields["actions"])
    return build(Trigger, **fields)
