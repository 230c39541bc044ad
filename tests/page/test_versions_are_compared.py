"""Two versions: decisions, items, tokens and the prompts side by side."""

from playwright.sync_api import Page, expect

from tests.page.prepared import HS256, RS256, Prepared


def test_decisions_items_and_prompts_differ(page: Page, prepared: Prepared) -> None:
    before, after = prepared.backtrack - 1, prepared.decision + 1
    page.goto(f"/sessions/{prepared.session.id}/compare?pin={before}&v={after}")
    decisions = page.get_by_role("region", name="Decisions", exact=True)
    expect(decisions).to_contain_text(HS256)
    expect(decisions).to_contain_text(RS256)
    items = page.get_by_role("list", name="Changed items")
    expect(items.get_by_role("listitem").filter(has_text=HS256)).to_contain_text("out")
    expect(items.get_by_role("listitem").filter(has_text=RS256)).to_contain_text("in")
    lines = page.get_by_role("region", name="Lines")
    expect(lines.locator(".removed mark").first).to_be_visible()
    expect(lines.locator(".side.added").filter(has_text="RS256").first).to_be_visible()
    expect(page.get_by_text("Common start")).to_contain_text(f"v{prepared.wrong - 1}")


def test_the_versions_are_swapped_and_typed(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/compare?pin=4&v=21")
    expect(page.get_by_role("textbox", name="Version A")).to_have_value("4")
    page.get_by_role("button", name="Swap A and B").click()
    expect(page).to_have_url(f"/sessions/{prepared.session.id}/compare?pin=21&v=4")
    field = page.get_by_role("textbox", name="Version B")
    field.fill("v7")
    field.press("Enter")
    expect(page).to_have_url(f"/sessions/{prepared.session.id}/compare?pin=21&v=7")
    field.fill("99999")
    field.press("Enter")
    expect(field).to_have_value("7")


def test_same_lines_are_folded_and_open(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/compare?pin={prepared.decision - 1}&v={prepared.decision}")
    lines = page.get_by_role("region", name="Lines")
    expect(lines.locator(".side.added").first).to_be_visible()
    fold = lines.get_by_role("button", name="same lines").first
    before = lines.locator(".line").count()
    fold.click()
    expect(fold).to_be_hidden()
    assert lines.locator(".line").count() > before
