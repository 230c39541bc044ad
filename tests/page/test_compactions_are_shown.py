"""What a compaction cut, what its summary left out, what was used of it later, and the way back."""

import pytest
from playwright.sync_api import Page, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.page.prepared import SUMMARY, Prepared


@pytest.fixture
def compacted(page_store: ContextStore) -> tuple[Session, int]:
    """A session of which a compaction took something that was used again."""
    session = page_store.start(title="Retries", limit=8_000)
    limits = session.message("The retry limit stands in config/limits.toml.")
    thanks = session.message("Thank you, that was all for today.")
    session.message("Good morning.")
    compaction = session.window.compacted(
        "They talked about retries.", summarized=[limits, thanks], algorithm="by-hand"
    )
    session.tool_call("read", {"path": "config/limits.toml"}, call_id="call_1")
    return session, compaction


def test_every_item_has_its_disposition(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/compactions")
    expect(page.get_by_role("heading", name=f"Compaction at version {prepared.compaction}")).to_be_visible()
    table = page.get_by_role("table")
    for item in prepared.summarized:
        expect(table.get_by_role("row", name=f"v{item} ").first).to_contain_text("summarized")
    expect(table.get_by_role("row", name="v2 ").first).to_contain_text("kept")
    expect(page.get_by_role("region", name="Summary", exact=True)).to_contain_text(SUMMARY.split(".")[0])


def test_a_band_filters_the_items(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/compactions")
    items = page.get_by_role("region", name="Items", exact=True)
    items.get_by_role("button", name="summarized").click()
    expect(items.get_by_role("row")).to_have_count(1 + len(prepared.summarized))
    items.get_by_role("button", name="All").click()
    expect(items.get_by_role("row", name="kept").first).to_be_visible()


def test_what_was_used_later_is_named(page: Page, compacted: tuple[Session, int]) -> None:
    session, _ = compacted
    page.goto(f"/sessions/{session.id}/compactions")
    used = page.get_by_role("region", name="Used later", exact=True)
    expect(used).to_contain_text("config/limits.toml")
    expect(used).to_contain_text("1 of 2")
    expect(used).to_contain_text("still out of the window")


def test_what_the_summary_left_out_is_told(page: Page, page_store: ContextStore) -> None:
    session = page_store.start(title="Defaults", limit=8_000)
    asked = session.message("Make the retries configurable. Never change the <b>defaults</b>.")
    compaction = session.window.compacted("They talked.", summarized=[asked], algorithm="by-hand")
    page.goto(f"/sessions/{session.id}/compactions")
    lost = page.get_by_role("region", name="Not in the summary")
    fact = lost.get_by_role("listitem").filter(has_text="Never change the <b>defaults</b>.").first
    expect(fact.get_by_role("link", name=f"v{asked}")).to_be_visible()
    lost.get_by_role("button", name="Fork from before").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Fork from version {compaction - 1}?")


def test_it_is_undone_with_a_reason(page: Page, compacted: tuple[Session, int]) -> None:
    session, compaction = compacted
    page.goto(f"/sessions/{session.id}/compactions")
    page.get_by_role("button", name="Undo…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 items")
    dialog.get_by_role("textbox", name="Reason").fill("the limit was needed")
    dialog.get_by_role("button", name="Undo the compaction").click()
    expect(dialog).to_be_hidden()
    undone = session.version
    expect(page.get_by_text(f"undone at version {undone}")).to_be_visible()
    expect(page.get_by_role("button", name="Undo…")).to_be_disabled()
    assert session.items.text_at((undone, 0)) == "the limit was needed"
    assert session.state.compactions == []
    assert compaction not in session.state.items


def test_looking_writes_nothing(page: Page, compacted: tuple[Session, int]) -> None:
    session, compaction = compacted
    before = session.version
    for view in ("", "/compactions", f"/compare?pin=1&v={compaction}", "/prompts"):
        page.goto(f"/sessions/{session.id}{view}")
        page.wait_for_load_state("networkidle")
    assert session.version == before
