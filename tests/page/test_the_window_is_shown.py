"""The window of a session: its tiers, its items, and texts that nobody trusts."""

from playwright.sync_api import Page, expect

from backstory.application.store import ContextStore
from tests.page.prepared import Prepared

HOSTILE = """<script>window.harmed = 1</script>
<img src=x onerror="window.harmed = 2">
<iframe src="https://elsewhere.example/frame"></iframe>
<style>body { display: none }</style>
![pixel](https://elsewhere.example/pixel.png)
[click](javascript:window.harmed=3) [data](data:text/html,<script>window.harmed=4</script>)
"""


def test_a_tier_filters_the_items(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}")
    items = page.get_by_role("listbox", name="Items").get_by_role("option")
    live = prepared.session.state.items.values()
    hot = sum(item.tier == "HOT" for item in live)
    assert 0 < hot < len(live)
    expect(page.get_by_role("button", name=f"All {len(live)}")).to_be_visible()
    page.get_by_role("group", name="Tier").get_by_role("button", name="HOT").click()
    expect(items).to_have_count(hot)
    page.reload()
    expect(items).to_have_count(hot)


def test_an_item_is_opened_to_its_text(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}")
    page.get_by_role("option").filter(has_text="The partner's gateway").or_(
        page.get_by_role("option").filter(has_text="ana: Add login with JWT")
    ).first.click()
    detail = page.get_by_role("region", name="Item 3")
    expect(detail).to_contain_text("The partner's gateway calls it too.")
    expect(detail).to_contain_text("Importance")
    page.keyboard.press("Escape")
    expect(detail).to_have_count(0)


def test_a_summary_opens_to_what_it_replaced_and_is_undone(page: Page, page_store: ContextStore) -> None:
    session = page_store.start(title="A full shelf", limit=4_000)
    said = [session.message(f"Book {number} stands on the shelf.") for number in range(3)]
    summary = session.window.compacted(
        "Three books stand on the shelf.", summarized=said, algorithm="by-hand"
    )
    page.goto(f"/sessions/{session.id}")
    entry = page.locator(f"#v{summary}")
    expect(page.locator(f"#v{said[0]}")).to_contain_text("summarized")
    entry.get_by_role("button", name="What it replaced: 3 items").click()
    expect(entry.get_by_role("listitem")).to_have_count(3)
    expect(entry).to_contain_text("Book 1 stands")
    entry.get_by_role("button", name="Undo this compaction").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo the compaction").click()
    expect(entry).to_contain_text("undone at v6")
    expect(page.locator(f"#v{said[0]}")).not_to_contain_text("summarized")
    assert {*said} <= {*session.refresh().state.items}


def test_hostile_texts_are_only_texts(page: Page, page_store: ContextStore) -> None:
    session = page_store.start(title="<b onclick=harm()>Lamp</b>", project="<i>lamps</i>")
    session.message(HOSTILE)
    session.decide(HOSTILE, rationale=HOSTILE)
    session.work.set_goal(HOSTILE)
    session.tool_call("<img src=x>", {"html": HOSTILE}, call_id="call")
    session.tool_result("call", HOSTILE)
    for address in (f"/sessions/{session.id}", "/", "/decisions?project=%3Ci%3Elamps%3C%2Fi%3E"):
        page.goto(address)
        expect(
            page.get_by_text("<script>window.harmed = 1").or_(page.get_by_text("<b onclick=")).first
        ).to_be_visible()
        assert page.evaluate("window.harmed") is None
        assert page.locator("main img, main iframe, main script, main style").count() == 0
        assert page.locator("main a[href^='javascript'], main a[href^='data']").count() == 0
