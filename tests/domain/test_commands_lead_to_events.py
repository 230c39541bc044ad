"""Each command on a state that allows it."""

import inspect

import pytest

from backstory.application.testing.usual_effects import usual_effects
from backstory.domain.commands import (
    artifacts,
    compaction,
    contexts,
    facts,
    items,
    memory,
    recovery,
    safety,
    sessions,
    tiers,
    windows,
    work,
)
from backstory.domain.events import ContextAssembled, ItemSaved, MessageAdded, ToolCalled
from backstory.domain.values import DEFAULT_ENCODING
from backstory.testing import given
from tests.domain.scenarios import SCENARIOS, Scenario

NOT_COMMANDS = {
    "new_item",
    "checked_items",
    "live_items",
    "encodings_of",
    "newly_reached",
    "known_memory",
    "known_artifact",
    "loaded_item",
    "loaded_artifacts",
    "project_id",
}
REFERRING = (ContextAssembled, ItemSaved, MessageAdded, ToolCalled)
"""Events that may count an access to items that they found or refer to."""


def _name(scenario: Scenario) -> str:
    return f"{scenario.command.__module__.rsplit('.', 1)[-1]}.{scenario.command.__name__}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=_name)
def test_a_command_leads_to_its_event(scenario: Scenario) -> None:
    given(*scenario.history).when(scenario.command, *scenario.args, **scenario.inputs).then(scenario.expected)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=_name)
def test_its_effects_use_the_verbs_that_the_event_declares(scenario: Scenario) -> None:
    (change,) = given(*scenario.history).when(scenario.command, *scenario.args, **scenario.inputs).changes
    assert set(change.effects.model_dump(exclude_defaults=True)) <= set(scenario.expected.verbs)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=_name)
def test_an_event_named_alone_has_the_effects_that_its_command_gives_it(scenario: Scenario) -> None:
    """Otherwise `given` would tell of sessions that cannot be."""
    before = given(*scenario.history)
    (change,) = before.when(scenario.command, *scenario.args, **scenario.inputs).changes
    usual = usual_effects(scenario.expected, before._states, before._kept[before._version])
    if scenario.exact:
        assert usual == change.effects
    else:
        # What was counted or found is known to the caller alone.
        known = set(scenario.expected.verbs) - {"counts"}
        known -= {"touches"} if isinstance(scenario.expected, REFERRING) else set()
        # Only the content of an artifact takes the place of another one.
        known -= {"removes"} if isinstance(scenario.expected, ItemSaved) else set()
        assert set(usual.model_dump(exclude_defaults=True)) == known


def test_every_command_is_among_them() -> None:
    commands = {
        function
        for module in (
            artifacts,
            compaction,
            contexts,
            facts,
            items,
            memory,
            recovery,
            safety,
            sessions,
            tiers,
            windows,
            work,
        )
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_") and name not in NOT_COMMANDS
    }
    assert commands == {scenario.command for scenario in SCENARIOS}


def test_a_new_item_is_as_important_as_its_type_unless_the_caller_says() -> None:
    assert facts.new_item("decision", tokens=1).importance == 0.9
    assert facts.new_item("decision", tokens=1).tier == "HOT"
    assert facts.new_item("decision", tokens=1, importance=0.1).tier == "COLD"
    assert facts.new_item("message", tokens=1, role="user").importance == 0.7


def test_a_new_item_names_its_encoding_only_when_it_is_another_one() -> None:
    assert facts.new_item("note", tokens=1, encoding=DEFAULT_ENCODING).encoding is None
    assert facts.new_item("note", tokens=1, encoding="cl100k_base").encoding == "cl100k_base"
