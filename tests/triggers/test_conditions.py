"""Conditions are checked when they are configured, and cannot run long."""

from typing import Any

import pytest

from backstory import DEFAULT_TRIGGERS, InvalidInput, Project, Trigger
from backstory.domain.triggers.change import NOTHING
from backstory.infrastructure.trigger_conditions import holds

ACTIONS = ["save_context_snapshot"]


def _trigger(condition: str, **more: Any) -> dict[str, Any]:
    return {"name": "mine", "condition": condition, "actions": ACTIONS, **more}


@pytest.mark.parametrize("trigger", DEFAULT_TRIGGERS, ids=lambda one: one.name)
def test_those_of_the_document_do_not_hold_where_nothing_has_happened(trigger: Trigger) -> None:
    assert not holds(trigger.condition, NOTHING)


@pytest.mark.parametrize(
    ("condition", "changed", "expected"),
    [
        ("current_layer != previous_layer", {"current_layer": 1}, True),
        ("abs(current_clarity - previous_clarity) >= 10", {"current_clarity": 9}, False),
        ("abs(current_clarity - previous_clarity) >= 10", {"previous_clarity": 10}, True),
        ("context_usage_percent > 70", {"context_usage_percent": 70.5}, True),
        ("command == 'facilitator backtrack'", {"command": "facilitator backtrack"}, True),
        ("command == 'a AND b'", {"command": "a AND b"}, True),
        ("NOT (current_layer == 0) OR priority == 'high'", {"priority": "high"}, True),
        ("state.status == 'open' && size(actor) == 0", {}, True),
        ("event in ['a', 'b'] ? false : message.text.startsWith('')", {}, True),
    ],
)
def test_what_they_tell(condition: str, changed: dict[str, Any], expected: bool) -> None:
    assert holds(condition, {**NOTHING, **changed}) is expected


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("current_layer ==", "does not parse"),
        ("current_layer = 1", "does not parse"),
        ("1 / 0 == 1", "division by zero"),
        ("10 / current_layer > 1", "division by zero"),
        ("colour == 'red'", "'colour' is none of actor, command"),
        ("exec('rm')", "'exec' is no function"),
        ("__import__('os').system('ls') == 0", "is no function"),
        ("message.__class__ == 1", "cannot be told"),
        ("current_layer + 1", "must be true or false"),
        ("'a' + 1 == 'a'", "cannot be told"),
        ("[1, 2].all(x, [1, 2].all(y, x > y))", "must not loop"),
        ("[1].map(state, state) == [1]", "must not loop"),
        ("[1]. all(state, true)", "must not loop"),
        ("true // all", "no backslashes, comments"),
        (r"'\'' == ''", "no backslashes, comments"),
        ("true && " * 200 + "true", "at most 1000 characters"),
        ("(" * 400 + "true" + ")" * 400, "does not parse"),
        ("", "at least 1 character"),
    ],
)
def test_one_that_cannot_be_is_refused_by_name_and_changes_nothing(
    project: Project, condition: str, rule: str
) -> None:
    before = project.version
    with pytest.raises(InvalidInput, match="refresh_triggers") as refused:
        project.triggers.set([_trigger(condition)])
    assert rule in str(refused.value)
    assert project.version == before


@pytest.mark.parametrize(
    ("trigger", "field"),
    [
        ({"name": "a b"}, "refresh_triggers.0.name"),
        ({"actions": []}, "refresh_triggers.0.actions"),
        ({"actions": ["format_disk"]}, "refresh_triggers.mine.actions.0"),
        ({"enabled": "perhaps"}, "refresh_triggers.0.enabled"),
        ({"colour": "red"}, "refresh_triggers.0.colour"),
    ],
)
def test_other_fields_are_checked_too(project: Project, trigger: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        project.triggers.check(
            [_trigger("true", **trigger) if "name" not in trigger else _trigger("true") | trigger]
        )
    assert refused.value.field == field


def test_two_of_one_name_are_refused(project: Project) -> None:
    with pytest.raises(InvalidInput, match="two triggers"):
        project.triggers.check([_trigger("true"), _trigger("false")])


def test_a_project_with_a_folder_has_those_of_the_document(project: Project) -> None:
    assert project.triggers.list() == [*DEFAULT_TRIGGERS]
