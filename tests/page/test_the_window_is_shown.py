"""The items of a window: by tier, opened, and behind their summary."""

from playwright.sync_api import Page, expect

from backstory.application.store import ContextStore
from tests.page.prepared import TITLE, Prepared


def test_the_title_names_the_session(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)


def test_a_tier_filters_the_items(page: Page, prepared: Prepared) -> None:
    state = prepared.session.state
    warm = [item for item in state.live() if item.tier == "WARM"]
    assert 0 < len(warm) < len(state.live())
    page.goto(f"/sessions/{prepared.session.id}")
    tiers = page.get_by_role("group", name="Tier")
    items = page.get_by_role("listbox", name="Items").get_by_role("option")
    expect(items.first).to_be_visible()
    tiers.get_by_role("button", name="WARM").click()
    expect(items).to_have_count(len(warm))
    tiers.get_by_role("button", name="All").click()
    expect(items).not_to_have_count(len(warm))


def test_an_item_opens_to_its_text(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}")
    page.get_by_role("option", name="The partner's gateway").click()
    expect(page).to_have_url(f"/sessions/{prepared.session.id}?item=3")


def test_a_summary_opens_to_what_it_replaced_and_is_undone(page: Page, page_store: ContextStore) -> None:
    session = page_store.start(title="Summaries", limit=8_000)
    told = [session.message(f"a long story, part {number}") for number in range(3)]
    session.window.compacted("They told a story.", summarized=told, algorithm="by-hand")
    page.goto(f"/sessions/{session.id}")
    entries = page.get_by_role("region", name="Entries")
    entries.get_by_role("button", name="What it replaced: 3 items").click()
    expect(entries.get_by_text("summarized").first).to_be_visible()
    entries.get_by_role("button", name="Undo this compaction").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo the compaction").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_text(f"undone at v{session.version}").first).to_be_visible()
    assert {*told} <= {item.id for item in session.state.live()}
