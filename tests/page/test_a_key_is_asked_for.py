"""A service with keys shows nothing without one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from backstory.application.store import ContextStore
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.page import BUILT
from tests.conftest import create_database
from tests.page.visits import Visits
from tests.service.served import Served, served

REFUSED = "error: Failed to load resource: the server responded with a status of 401 (Unauthorized)"


@pytest.fixture(scope="module")
def locked(embedded_server: str, migrated_template: str, built: object) -> Iterator[Served]:
    """A service whose database has keys."""
    url = create_database(embedded_server, migrated_template)
    with ContextStore.open(url) as store, served(store, ServiceOptions(page=BUILT)) as running:
        yield running


def test_a_wrong_key_is_refused_and_the_right_one_lets_in(visits: Visits, locked: Served) -> None:
    session = locked.store.start(title="Behind a door")
    session.message("Hello.")
    key = locked.store.keys.create("reader", "read")
    page = visits.open(locked.url)
    page.goto(f"/sessions/{session.id}")
    field = page.get_by_label("Key")
    field.fill("bsk_this-is-none")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The key was refused.")
    assert visits.logged == [REFUSED]
    visits.logged.clear()
    field.fill(key.secret)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Behind a door")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Behind a door")
    expect(page.get_by_role("button", name="Checkpoint")).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    expect(field).to_be_visible()
    visits.logged.clear()


def test_a_key_that_may_write_can_make_a_checkpoint(visits: Visits, locked: Served) -> None:
    session = locked.store.start(title="Behind the same door")
    key = locked.store.keys.create("writer", "append")
    page = visits.open(locked.url)
    page.goto(f"/sessions/{session.id}")
    page.get_by_label("Key").fill(key.secret)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Checkpoint").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("before the storm")
    dialog.get_by_role("button", name="Make the checkpoint").click()
    expect(page.get_by_role("region", name="Entries")).to_contain_text("before the storm")
    (checkpoint,) = session.refresh().checkpoints.list()
    assert checkpoint.name == "before the storm"
