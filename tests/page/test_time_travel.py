"""The timeline's cursor moves the whole page, and from the past one can go back or fork."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.page.prepared import HS256, RS256, Prepared


@pytest.fixture
def window(page: Page, prepared: Prepared) -> Page:
    """The prepared session, at now."""
    page.goto(f"/sessions/{prepared.session.id}")
    expect(cursor(page)).to_have_attribute("aria-valuenow", str(prepared.session.version))
    return page


@pytest.fixture
def own(page_store: ContextStore) -> Session:
    """A session that a test may change."""
    session = page_store.start(title="Mend the lamp", limit=2_000)
    for number in range(6):
        session.message(f"{number}: the lamp fails in fog.")
    return session


def cursor(page: Page) -> Locator:
    return page.get_by_role("slider", name="Version", exact=True)


def entries(page: Page) -> Locator:
    return page.get_by_role("region", name="Entries")


def test_dragging_the_cursor_shows_an_old_version_and_back(window: Page, prepared: Prepared) -> None:
    chart = window.locator(".timeline .chart")
    box = chart.bounding_box()
    assert box is not None
    height = box["y"] + 60
    window.mouse.move(box["x"] + box["width"] - 26, height)
    window.mouse.down()
    window.mouse.move(box["x"] + box["width"] / 2, height, steps=8)
    window.mouse.up()
    expect(window.get_by_text("You are looking at version")).to_be_visible()
    version = int(cursor(window).get_attribute("aria-valuenow") or 0)
    expect(window).to_have_url(re.compile(rf"\?v={version}$"))
    assert abs(version - prepared.session.version / 2) < 3
    expect(window.get_by_text(f"at version {version}", exact=True)).to_be_visible()
    expect(entries(window)).to_contain_text(f"Version {version} ends here")
    window.keyboard.press("End")
    expect(window.get_by_text("You are looking at version")).to_have_count(0)
    expect(window).to_have_url(f"/sessions/{prepared.session.id}")


def test_an_abandoned_version_shows_its_own_branch(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}?v={prepared.wrong}")
    expect(page.get_by_text(f"on a branch abandoned at {prepared.backtrack}")).to_be_visible()
    state = page.get_by_role("complementary", name="State")
    expect(state).to_contain_text(HS256)
    expect(state).not_to_contain_text(RS256)
    page.goto(f"/sessions/{prepared.session.id}?v={prepared.decision}")
    expect(state).to_contain_text(RS256)
    expect(state).not_to_contain_text(HS256)
    expect(entries(page).locator(f"#v{prepared.wrong}")).to_have_count(0)


def test_arrows_step_and_jump_to_marks(window: Page, prepared: Prepared) -> None:
    newest = prepared.session.version
    window.keyboard.press("ArrowLeft")
    expect(cursor(window)).to_have_attribute("aria-valuenow", str(newest - 1))
    expect(window).to_have_url(re.compile(rf"\?v={newest - 1}$"))
    window.keyboard.press("Home")
    expect(window).to_have_url(re.compile(r"\?v=1$"))
    window.keyboard.press("Shift+ArrowRight")
    expect(window).to_have_url(re.compile(rf"\?v={prepared.checkpoint}$"))


def test_playing_runs_to_now(window: Page, prepared: Prepared) -> None:
    newest = prepared.session.version
    window.keyboard.press("Home")
    expect(cursor(window)).to_have_attribute("aria-valuenow", "1")
    window.get_by_role("button", name="Play").click()
    window.get_by_role("button", name="64×").click()
    expect(cursor(window)).to_have_attribute("aria-valuenow", str(newest))
    expect(window.get_by_role("button", name="Play")).to_be_visible()
    expect(window).to_have_url(f"/sessions/{prepared.session.id}")


def test_a_pinned_version_can_be_compared(window: Page, prepared: Prepared) -> None:
    newest = prepared.session.version
    window.keyboard.press("ArrowLeft")
    expect(window).to_have_url(re.compile(rf"\?v={newest - 1}$"))
    window.keyboard.press("p")
    expect(window.get_by_role("slider", name="Pinned version")).to_have_attribute(
        "aria-valuenow", str(newest - 1)
    )
    window.keyboard.press("Home")
    expect(window).to_have_url(re.compile(r"v=1&"))
    window.get_by_role("link", name="Compare").last.click()
    expect(window).to_have_url(re.compile(rf"/compare\?v=1&pin={newest - 1}$"))


def test_a_deep_link_survives_a_reload(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}?v={prepared.wrong}&pin=3&item=3")
    for _ in range(2):
        expect(cursor(page)).to_have_attribute("aria-valuenow", str(prepared.wrong))
        expect(page.get_by_role("slider", name="Pinned version")).to_have_attribute("aria-valuenow", "3")
        expect(page.get_by_role("region", name="Item 3")).to_contain_text("The partner's gateway")
        page.reload()


def test_looking_at_every_version_writes_nothing(page: Page, prepared: Prepared) -> None:
    before = prepared.session.refresh().version
    for version in (3, prepared.checkpoint, prepared.wrong):
        page.goto(f"/sessions/{prepared.session.id}?v={version}&item=3")
        expect(page.get_by_text(f"at version {version}", exact=True)).to_be_visible()
    assert prepared.session.refresh().version == before


def test_a_backtrack_needs_a_reason_and_is_recorded_with_it(page: Page, own: Session) -> None:
    page.goto(f"/sessions/{own.id}?v=4")
    expect(page.get_by_text("You are looking at version 4")).to_be_visible()
    page.keyboard.press("b")
    dialog = page.get_by_role("dialog")
    button = dialog.get_by_role("button", name="Backtrack to 4")
    expect(button).to_be_disabled()
    dialog.get_by_role("textbox", name="Reason").fill("fog is not the cause")
    button.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(f"/sessions/{own.id}")
    expect(cursor(page)).to_have_attribute("aria-valuenow", "8")
    expect(entries(page)).to_contain_text("fog is not the cause")
    expect(entries(page)).not_to_contain_text("5: the lamp")
    newest = list(own.refresh().events())[-1]
    assert newest.type == "session.backtracked"


def test_a_fork_begins_at_the_version_that_is_looked_at(page: Page, own: Session) -> None:
    page.goto(f"/sessions/{own.id}?v=3")
    expect(page.get_by_text("You are looking at version 3")).to_be_visible()
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Title of the fork").fill("The lamp in the sun")
    dialog.get_by_role("button", name="Fork from 3").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The lamp in the sun")
    assert str(own.id) not in page.url
    expect(entries(page)).to_contain_text("1: the lamp")
    expect(entries(page)).not_to_contain_text("2: the lamp")
