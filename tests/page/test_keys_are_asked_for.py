"""A service with keys asks the page for one; what a key may not do is not offered."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from backstory.application.store import ContextStore
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.page import BUILT
from tests.page.visits import Visits
from tests.service.served import served


@pytest.fixture
def locked(new_database: Callable[[], str], visits: Visits) -> Iterator[tuple[Page, ContextStore, str]]:
    """A page of a service that needs a key, and a key that may read."""
    with ContextStore.open(new_database()) as store:
        store.start(title="Behind a key", project="orders").message("hello")
        key = store.keys.create("reader", action="read", projects=["orders"]).secret
        with served(store, ServiceOptions(page=BUILT)) as service:
            yield visits.open(service.url), store, key


def test_without_a_key_nothing_is_shown(locked: tuple[Page, ContextStore, str], visits: Visits) -> None:
    page, _, key = locked
    page.goto("/")
    expect(page.get_by_role("heading", name="This service needs a key")).to_be_visible()
    expect(page.get_by_text("Behind a key")).to_be_hidden()
    field = page.get_by_role("textbox", name="Key")
    field.fill("bsk_wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("The key was refused.")
    field.fill(key)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Behind a key").first).to_be_visible()
    # The browser tells of the answer to the wrong key.
    visits.logged[:] = [one for one in visits.logged if "401" not in one]


def test_a_reader_is_offered_no_writes(locked: tuple[Page, ContextStore, str], visits: Visits) -> None:
    page, store, key = locked
    (session,) = store.sessions()
    page.goto(f"/sessions/{session.id}?v=1")
    page.get_by_role("textbox", name="Key").fill(key)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("You are looking at version 1")).to_be_visible()
    expect(page.get_by_role("button", name="Backtrack here")).to_be_hidden()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="This service needs a key")).to_be_visible()
    # Requests under way when the key was given up.
    visits.logged[:] = [one for one in visits.logged if "401" not in one and "WebSocket" not in one]
