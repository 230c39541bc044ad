"""The tests of the library, run over HTTP: `make test-http` runs those of `any_store` on a client of a service with a
real socket. A part of them is in every run: those of the folders in `ALWAYS`. How many there were is printed."""

from collections.abc import Generator
from typing import Any

import pytest

from backstory.domain.errors import OnlyInProcess

FORMS = ("sync", "async", "sync on Postgres 15")
ALWAYS = ("tests/append/", "tests/atomic/", "tests/concurrency/", "tests/feed/", "tests/idempotency/")
"""Folders whose tests run on a client each time."""
OTHERWISE = {
    "tests/bad_input/": "the service refuses what has the wrong type in words of its own",
    "test_bad_input_is_named": "a text in place of a list cannot be told apart in a query",
    "test_what_is_no_map_of_digests_is_refused": "keys in JSON are texts",
    "test_saw_and_reproduce_show_both[http-with_answer]": "a service records a context at once",
    "test_they_come_in_one_append_and_lead_to_one_another": "a service records a context at once",
    "test_a_context_of_another_session_is_refused": "a context is named by its version",
    "test_a_fork_may_call_with_a_context_that_it_began_with": "a context is named by its version",
    "test_a_message_that_is_none_is_refused": "JSON has no other objects",
    "test_a_rich_session_and_its_forks": "it saves bytes, which go over as artifacts only",
}
"""Tests of what differs over HTTP, by a part of their names, each with the reason."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--over-http", action="store_true", help="run the tests of the library on a client of a service"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--over-http"):
        differ = {
            item for item in items if is_over_http(item) and any(part in item.nodeid for part in OTHERWISE)
        }
        config.hook.pytest_deselected(items=list(differ))
        items[:] = [item for item in items if item not in differ]
        return
    shared = [
        item
        for item in items
        if "any_store" in getattr(item, "fixturenames", ())
        and not any(part in item.nodeid for part in OTHERWISE)
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(shared)])
    items[:] = shared


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """What only the process of the database can do is not shared."""
    try:
        return (yield)
    except OnlyInProcess as error:
        if is_over_http(pyfuncitem):
            pytest.skip(f"in process only: {error}")
        raise


def pytest_terminal_summary(terminalreporter: Any) -> None:
    counted = {
        outcome: sum("[http" in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "skipped")
    }
    if any(counted.values()):
        said = ", ".join(f"{number} {outcome}" for outcome, number in counted.items())
        terminalreporter.write_line(f"over HTTP: {said}")


def is_over_http(item: pytest.Item) -> bool:
    return "[http" in item.nodeid


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "any_store" not in metafunc.fixturenames:
        return
    forms: tuple[str, ...] = FORMS
    if metafunc.config.getoption("--over-http"):
        forms = ("http",)
    elif metafunc.definition.nodeid.startswith(ALWAYS):
        forms = (*FORMS, "http")
    metafunc.parametrize("any_store", forms, indirect=True, scope="session")
