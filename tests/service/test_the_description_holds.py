"""Requests that schemathesis makes from the OpenAPI document, good ones and bad ones: none is answered with 5xx, and
none in a way that the document does not tell of. A run tries every eighth operation, `make test-long` all of them."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import ignored_auth

from backstory.application.store import ContextStore
from tests.http.world import make_world
from tests.properties import usually
from tests.service.served import served

# Its rules are more than the document's schemas can say: a text that breaks one is 422.
CONFIG = """
base-url = "{url}"
headers = {{ Authorization = "Bearer {secret}" }}
parameters = {{ "path.session" = "{session}", "path.project" = "{project}", "path.memory" = {memory} }}
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "304", "400", "401", "403", "404", "409", "410", "412", "413", "416", "422"]
"""
ENDLESS = r"/live$"
LEFT_OUT = {
    # These would take away what the others ask about.
    *(
        "purge",
        "purge_memory",
        "apply_retention",
        "set_retention",
        "revoke_key",
        "rotate_key",
        "erase_memory",
    ),
    # It has no form for lines of JSON: see `tests/http/test_bodies.py`.
    "append_lines",
    # It reads rows of fixed columns as an older form of JSON Schema has them, and refuses its own reading.
    "item_figures",
}


@pytest.fixture(scope="module")
def described(module_database: str) -> Iterator[Any]:
    """A service with a session, a key that may do everything, and what it says of itself."""
    with ContextStore.open(module_database) as store, served(store) as running:
        world = make_world(store)
        secret = store.keys.create("admin", "admin").secret
        text = CONFIG.format(url=running.url, secret=secret, **world)
        config = SchemathesisConfig.from_str(text)
        document = schemathesis.openapi.from_url(f"{running.url}/openapi.json", config=config)
        yield document.exclude(path_regex=ENDLESS).exclude(operation_id=sorted(LEFT_OUT))


def test_every_answer_is_one_that_it_tells_of(described: Any) -> None:
    tried = 0
    # All of them take minutes, most of it for making what is sent.
    for found in islice(described.get_all_operations(), 3, None, usually(8, 1)):
        operation = found.ok()
        for mode in GenerationMode:

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=usually(2, 300),
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                deadline=None,
                database=None,
            )
            def ask(case: schemathesis.Case) -> None:
                nonlocal tried
                tried += 1
                # The matrix asks without keys, and with wrong ones.
                case.call_and_validate(excluded_checks=[ignored_auth])

            with suppress(Unsatisfiable):  # Some operations take nothing that could be wrong.
                ask()
    assert tried > 20
