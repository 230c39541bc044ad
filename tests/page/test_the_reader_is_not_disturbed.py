"""Nothing that is being read moves, and looking leaves no trace."""

import pytest
from playwright.sync_api import Page, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore

LINES = "\n\n".join(f"Line {number} of a long message." for number in range(40))


@pytest.fixture
def session(page_store: ContextStore) -> Session:
    session = page_store.start(title="Watch the lamp", limit=20_000)
    for number in range(4):
        session.message(f"{number}: {LINES}")
    return session


def test_who_reads_further_up_is_not_moved(page: Page, session: Session) -> None:
    page.goto(f"/sessions/{session.id}")
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("3: Line 0")
    entries.hover()
    page.mouse.wheel(0, -900)
    page.wait_for_function(
        "() => { const feed = document.querySelector('.feed');"
        " return feed.scrollHeight - feed.scrollTop - feed.clientHeight > 500 }"
    )
    before = entries.evaluate("element => element.scrollTop")
    session.message("One.")
    session.message("Two.")
    pill = page.get_by_role("button", name="2 new")
    expect(pill).to_be_visible()
    assert entries.evaluate("element => element.scrollTop") == before
    pill.click()
    expect(entries.get_by_text("Two.")).to_be_in_viewport()
    expect(pill).to_have_count(0)


def test_a_new_session_waits_above_the_list(page: Page, session: Session, page_store: ContextStore) -> None:
    page.goto("/")
    rows = page.get_by_role("row")
    expect(rows.filter(has_text="Watch the lamp").first).to_be_visible()
    page_store.start(title="A lamp that is new")
    pill = page.get_by_role("button", name="1 new")
    expect(pill).to_be_visible()
    expect(rows.filter(has_text="A lamp that is new")).to_have_count(0)
    pill.click()
    expect(rows.nth(1)).to_contain_text("A lamp that is new")


def test_looking_at_versions_and_items_writes_nothing(page: Page, session: Session) -> None:
    before = session.refresh().version
    for version in (2, 3, before):
        page.goto(f"/sessions/{session.id}?v={version}&item=3")
        expect(page.get_by_text(f"at version {version}", exact=True)).to_be_visible()
    assert session.refresh().version == before
