"""The tests of the library, run over HTTP: `pytest --over-http` runs all that need nothing beside the database, on a
client of a service with a real socket. A part of them is in every run: those of the modules in `ALWAYS`."""

import pytest

FORMS = ("sync", "async", "sync on Postgres 15")
ALWAYS = ("tests/append/",)
"""Modules whose tests run on a client each time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--over-http", action="store_true", help="run the tests of the library on a client of a service"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--over-http"):
        return
    shared = [item for item in items if "any_store" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(shared)])
    items[:] = shared


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "any_store" not in metafunc.fixturenames:
        return
    forms: tuple[str, ...] = FORMS
    if metafunc.config.getoption("--over-http"):
        forms = ("http",)
    elif metafunc.definition.nodeid.startswith(ALWAYS):
        forms = (*FORMS, "http")
    metafunc.parametrize("any_store", forms, indirect=True, scope="session")
