"""Everything that was recorded is found, also what left the window, and leads to its place in time."""

from playwright.sync_api import Page, expect

from backstory.application.store import ContextStore
from tests.page.prepared import HS256, Prepared


def test_a_hit_leads_to_its_version(page: Page, prepared: Prepared) -> None:
    page.goto("/")
    expect(page.get_by_role("search", name="Everything").get_by_role("textbox")).to_be_visible()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("partner gateway login")
    page.keyboard.press("Enter")
    results = page.get_by_role("region", name="Results")
    first = results.get_by_role("listitem").first
    expect(first).to_contain_text("The partner's gateway calls it too")
    expect(first.locator("mark").first).to_be_visible()
    first.get_by_role("link").click()
    expect(page).to_have_url(f"/sessions/{prepared.session.id}?v=3&item=3")


def test_what_a_compaction_took_out_is_found(page: Page, prepared: Prepared) -> None:
    page.goto(f"/search?q=part_1&session={prepared.session.id}")
    hit = page.get_by_role("region", name="Results").get_by_role("listitem").first
    expect(hit).to_contain_text(f"v{prepared.summarized[1]}")


def test_filters_narrow_it(page: Page, prepared: Prepared) -> None:
    page.goto(f"/search?q=sign+tokens+HS256&session={prepared.session.id}")
    results = page.get_by_role("region", name="Results")
    expect(results.get_by_role("listitem").first).to_be_visible()
    expect(results).not_to_contain_text("abandoned")
    page.get_by_role("button", name="Branches that were left").click()
    expect(results.get_by_role("listitem").filter(has_text="abandoned").first).to_contain_text(HS256)
    page.get_by_role("combobox", name="Type").select_option("decision")
    expect(results.get_by_role("listitem").filter(has_text="planner message")).to_have_count(0)
    expect(results.get_by_role("listitem").filter(has_text="abandoned")).to_have_count(1)


def test_words_that_nobody_used_find_nothing(page: Page, page_store: ContextStore) -> None:
    page.goto("/search?q=xylophone")
    expect(page.get_by_text("Nothing matches")).to_be_visible()


def test_a_version_is_jumped_to(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}")
    page.get_by_role("search", name="Everything").get_by_role("textbox").fill("v9")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"/sessions/{prepared.session.id}?v=9")
