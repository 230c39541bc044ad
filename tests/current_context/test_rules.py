"""The three rule sets on the example document that they were written for, and on changed copies of it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backstory.domain.context_document.rules import (
    LAYER_NAMES,
    check_completeness,
    check_consistency,
    check_context,
    check_decisions_preserved,
    check_layer,
    check_tokens,
)
from backstory.domain.errors import BackstoryError, ContextInvalid, Refused

EXAMPLE: dict[str, Any] = json.loads((Path(__file__).parent / "example.json").read_text())
Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> dict[str, Any]:
    document = copy.deepcopy(EXAMPLE)
    change(document)
    return document


def refused(check: Callable[..., None], *documents: dict[str, Any], **inputs: Any) -> ContextInvalid:
    with pytest.raises(ContextInvalid) as raised:
        check(*documents, **inputs)
    return raised.value


def test_the_error_is_a_refusal_that_names_field_and_rule() -> None:
    error = ContextInvalid("project.clarity", "is missing")
    assert isinstance(error, Refused)
    assert isinstance(error, BackstoryError)
    assert (str(error), error.field, error.rule) == (
        "project.clarity: is missing",
        "project.clarity",
        "is missing",
    )
    assert (error.code, error.exit_code) == ("context-invalid", 4)


class TestCompleteness:
    def test_the_example_is_complete(self) -> None:
        check_completeness(EXAMPLE)

    @pytest.mark.parametrize("section", ["metadata", "role", "project", "context_window"])
    def test_a_missing_section(self, section: str) -> None:
        assert str(refused(check_completeness, changed(lambda d: d.pop(section)))) == f"{section}: is missing"

    @pytest.mark.parametrize(
        "field",
        [
            "metadata.timestamp",
            "metadata.session_id",
            "role.agent",
            "role.agent_id",
            "role.mode",
            "project.name",
            "project.current_layer",
            "project.clarity",
            "context_window.usage_percent",
            "context_window.used_tokens",
        ],
    )
    def test_a_missing_field_and_one_that_is_null(self, field: str) -> None:
        section, name = field.split(".")
        assert (
            str(refused(check_completeness, changed(lambda d: d[section].pop(name))))
            == f"{field}: is missing"
        )
        null = changed(lambda d: d[section].update({name: None}))
        assert str(refused(check_completeness, null)) == f"{field}: must not be null"

    def test_a_section_that_is_none(self) -> None:
        broken = changed(lambda d: d.update(role="Facilitator"))
        assert str(refused(check_completeness, broken)) == "role: must be a section with fields"

    def test_zero_says_something(self) -> None:
        check_completeness(changed(lambda d: d["project"].update(current_layer=0, clarity=0)))


class TestConsistency:
    def test_the_example_has_its_layers_name(self) -> None:
        check_layer(EXAMPLE)

    @pytest.mark.parametrize(("layer", "name"), list(enumerate(LAYER_NAMES)))
    def test_every_layer_has_one_name(self, layer: int, name: str) -> None:
        check_layer(changed(lambda d: d["project"].update(current_layer=layer, layer_name=name)))
        other = LAYER_NAMES[(layer + 1) % 6]
        wrong = changed(lambda d: d["project"].update(current_layer=layer, layer_name=other))
        assert refused(check_layer, wrong).field == "project.layer_name"

    @pytest.mark.parametrize("layer", [-1, 6, "1", 1.0, True])
    def test_a_layer_that_does_not_exist(self, layer: Any) -> None:
        wrong = changed(lambda d: d["project"].update(current_layer=layer))
        assert refused(check_layer, wrong).field == "project.current_layer"

    def test_used_tokens_are_held_against_all_live_items(self) -> None:
        check_consistency(EXAMPLE, live_tokens=70_000)
        check_context(EXAMPLE, live_tokens=70_000)
        wrong = refused(check_tokens, EXAMPLE, live_tokens=69_999)
        assert str(wrong) == "context_window.used_tokens: is 70000, but the live items have 69999 tokens"

    def test_where_no_sum_is_given_it_is_that_of_the_loaded_artifacts(self) -> None:
        assert "have 10500" in str(refused(check_tokens, EXAMPLE))
        check_tokens(changed(lambda d: d["context_window"].update(used_tokens=10_500)))

    def test_an_artifact_that_is_not_loaded_counts_for_nothing(self) -> None:
        check_tokens(
            changed(
                lambda d: (
                    d["context_window"].update(used_tokens=9_000),
                    d["loaded_artifacts"][0].update(loaded=False),
                )
            )
        )

    def test_a_loaded_artifact_without_a_number_of_tokens(self) -> None:
        wrong = changed(lambda d: d["loaded_artifacts"][2].update(tokens="many"))
        assert refused(check_tokens, wrong).field == "loaded_artifacts[2].tokens"
        wrong = changed(lambda d: d["loaded_artifacts"][0].pop("tokens"))
        assert refused(check_tokens, wrong).field == "loaded_artifacts[0].tokens"


class TestDecisions:
    def test_the_same_decisions_are_preserved(self) -> None:
        check_decisions_preserved(EXAMPLE, EXAMPLE)

    def test_more_decisions_are_fine(self) -> None:
        check_decisions_preserved(EXAMPLE, changed(lambda d: d["recent_decisions"].append({"id": "DEC-004"})))

    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_a_lost_one_is_named(self, place: int) -> None:
        lost = changed(lambda d: d["recent_decisions"].pop(place))
        error = refused(check_decisions_preserved, EXAMPLE, lost)
        assert str(error) == f"recent_decisions[DEC-00{place + 1}]: was lost"

    def test_a_document_without_any_lost_them_all(self) -> None:
        error = refused(check_decisions_preserved, EXAMPLE, changed(lambda d: d.pop("recent_decisions")))
        assert error.field == "recent_decisions[DEC-001]"

    @pytest.mark.parametrize("field", ["decision", "rationale", "decision_maker", "timestamp", "immutable"])
    def test_a_changed_one_is_named_with_its_field(self, field: str) -> None:
        other = changed(lambda d: d["recent_decisions"][1].update({field: "something else"}))
        error = refused(check_decisions_preserved, EXAMPLE, other)
        assert error.field == f"recent_decisions[DEC-002].{field}"
        assert "decisions never change" in error.rule

    def test_an_erased_text_is_no_change(self) -> None:
        check_decisions_preserved(
            EXAMPLE, changed(lambda d: d["recent_decisions"][1].update(decision=None, impact=[None, None]))
        )

    def test_a_list_that_is_shorter_is_a_change(self) -> None:
        other = changed(lambda d: d["recent_decisions"][1]["impact"].pop())
        assert refused(check_decisions_preserved, EXAMPLE, other).field == "recent_decisions[DEC-002].impact"

    def test_what_newer_ones_pushed_out_is_not_lost(self) -> None:
        newer = [{"id": f"DEC-00{n}"} for n in (4, 5)]
        pushed = changed(lambda d: d.update(recent_decisions=[*d["recent_decisions"][1:], *newer]))
        check_decisions_preserved(EXAMPLE, pushed, kept=4)
        assert (
            refused(check_decisions_preserved, EXAMPLE, pushed, kept=5).field == "recent_decisions[DEC-001]"
        )
        check_decisions_preserved(EXAMPLE, changed(lambda d: d.update(recent_decisions=newer)), kept=2)

    def test_one_in_the_middle_is_lost_however_many_there_are(self) -> None:
        holed = changed(
            lambda d: (d["recent_decisions"].pop(1), d["recent_decisions"].append({"id": "DEC-004"}))
        )
        assert refused(check_decisions_preserved, EXAMPLE, holed, kept=3).field == "recent_decisions[DEC-002]"
