"""What another process records shows by itself, and a lost connection is said and found again."""

import os
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.page import BUILT
from tests.page.visits import Visits
from tests.service.served import Served


def a_session(store: ContextStore, messages: int = 3) -> Session:
    session = store.start(title="Live", limit=8_000)
    for number in range(messages):
        session.by("coder").message(f"step {number}")
    return session


def say_elsewhere(database: str, session: Session, text: str) -> None:
    """Appends a message in a process of its own."""
    command = [Path(sys.executable).with_name("backstory"), "say", str(session.id), text]
    environment = os.environ | {"BACKSTORY_DATABASE_URL": database}
    subprocess.run(command, env=environment, check=True, capture_output=True)


def test_what_another_process_appends_appears(
    page: Page, page_store: ContextStore, page_database: str
) -> None:
    session = a_session(page_store)
    page.goto(f"/sessions/{session.id}")
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("step 2")
    say_elsewhere(page_database, session, "a word from elsewhere")
    expect(entries).to_contain_text("a word from elsewhere", timeout=20_000)
    expect(page.get_by_role("slider", name="Version")).to_have_attribute(
        "aria-valuenow", str(session.version)
    )


def test_the_past_stays_where_it_is(page: Page, page_store: ContextStore) -> None:
    session = a_session(page_store)
    page.goto(f"/sessions/{session.id}?v=2")
    expect(page.get_by_text(f"version 2 of {session.version}")).to_be_visible()
    entries = page.get_by_role("region", name="Entries")
    session.message("after the fact")
    expect(page.get_by_text(f"version 2 of {session.version}")).to_be_visible(timeout=20_000)
    expect(page).to_have_url(f"/sessions/{session.id}?v=2")
    expect(page.get_by_role("slider", name="Version")).to_have_attribute("aria-valuenow", "2")
    expect(entries).to_be_visible()


def test_a_new_session_appears_in_the_list(page: Page, page_store: ContextStore) -> None:
    a_session(page_store)
    page.goto("/")
    expect(page.get_by_text("Live", exact=True).first).to_be_visible()
    page_store.start(title="Just begun").message("hello")
    # The rows stay in place until the reader asks.
    page.get_by_role("button", name="1 new").click()
    expect(page.get_by_text("Just begun").first).to_be_visible()


def test_a_lost_connection_is_said_and_found_again(visits: Visits, page_store: ContextStore) -> None:
    session = a_session(page_store)
    first = Served(page_store, ServiceOptions(page=BUILT))
    page = visits.open(first.url)
    page.goto(f"/sessions/{session.id}")
    expect(page.get_by_role("region", name="Entries")).to_contain_text("step 2")
    first.stop()
    expect(page.get_by_text("Not live.")).to_be_visible(timeout=20_000)
    session.message("said while nobody heard")
    second = Served(page_store, ServiceOptions(page=BUILT), port=first.port)
    try:
        expect(page.get_by_role("region", name="Entries")).to_contain_text(
            "said while nobody heard", timeout=30_000
        )
        expect(page.get_by_text("Not live.")).to_be_hidden()
    finally:
        second.stop()
    # The browser itself tells of requests that found nobody.
    visits.logged[:] = [
        one for one in visits.logged if "ERR_CONNECTION" not in one and "WebSocket" not in one
    ]
