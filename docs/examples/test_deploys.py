"""Tests of docs/examples/deploys.py: no database, no files, milliseconds."""

from deploys import DeployFinished, finish_deploy

from backstory import Refused, SessionNotOpen
from backstory.domain import events
from backstory.testing import given, text


def test_a_deploy_is_recorded_with_its_log() -> None:
    outcome = given(events.GoalSet(text=text("ship it"))).when(
        finish_deploy, service="api", log=text("all green"), tokens=2
    )
    outcome.then(DeployFinished(service="api", log=text("all green")))
    outcome.then_state(lambda state: state.items[2].type == "deploy" and state.tokens > 2)


def test_an_open_error_holds_it_up() -> None:
    history = given(events.ErrorMet(text=text("the database is down")))
    history.when(finish_deploy, service="api", log=text("all green"), tokens=2).then_refused(
        Refused, match="while an error is open"
    )


def test_a_resolved_error_does_not() -> None:
    history = given(events.ErrorMet(text=text("down")), events.ErrorResolved(item=1))
    history.when(finish_deploy, service="api", log=text("all green"), tokens=2).then(
        DeployFinished(service="api", log=text("all green"))
    )


def test_an_ended_session_takes_no_deploy() -> None:
    history = given(events.SessionEnded())
    history.when(finish_deploy, service="api", log=text("all green"), tokens=2).then_refused(SessionNotOpen)
