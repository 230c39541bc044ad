"""The cursor: dragged, stepped, played and typed, and what is done from a past version."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.page.prepared import HS256, RS256, Prepared


@pytest.fixture
def steps(page_store: ContextStore) -> Session:
    """A session of forty messages."""
    session = page_store.start(title="Steps", limit=8_000)
    for number in range(40):
        session.by("coder").message(f"step {number}")
    return session


def cursor_of(page: Page) -> Locator:
    return page.get_by_role("slider", name="Version", exact=True)


def test_it_is_dragged_to_an_old_version_and_back(page: Page, steps: Session) -> None:
    page.goto(f"/sessions/{steps.id}")
    cursor = cursor_of(page)
    expect(cursor).to_have_attribute("aria-valuenow", str(steps.version))
    chart = page.locator("svg:has([role=slider])").first.bounding_box()
    grip = cursor.bounding_box()
    assert chart is not None
    assert grip is not None
    y = chart["y"] + chart["height"] / 3
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(chart["x"] + chart["width"] / 2, y, steps=8)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"\?v=\d+$"))
    version = int(cursor.get_attribute("aria-valuenow") or 0)
    assert 10 < version < 30
    expect(page.get_by_text(f"version {version} of {steps.version}")).to_be_visible()
    tokens = steps.at(version).windows["main"].tokens
    expect(page.get_by_role("complementary", name="Context")).to_contain_text(str(tokens))
    page.get_by_role("button", name="Back to now").click()
    expect(page).to_have_url(f"/sessions/{steps.id}")
    expect(cursor).to_have_attribute("aria-valuenow", str(steps.version))


def test_arrows_step_and_ends_jump(page: Page, steps: Session) -> None:
    page.goto(f"/sessions/{steps.id}?v=20")
    cursor = cursor_of(page)
    expect(cursor).to_have_attribute("aria-valuenow", "20")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(f"/sessions/{steps.id}?v=19")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"/sessions/{steps.id}?v=21")
    page.keyboard.press("Home")
    expect(page).to_have_url(f"/sessions/{steps.id}?v=1")
    page.keyboard.press("End")
    expect(page).to_have_url(f"/sessions/{steps.id}")


def test_it_plays_and_stops(page: Page, steps: Session) -> None:
    page.goto(f"/sessions/{steps.id}?v=5")
    cursor = cursor_of(page)
    expect(cursor).to_have_attribute("aria-valuenow", "5")
    page.get_by_role("button", name="Play (Space)").click()
    expect(cursor).not_to_have_attribute("aria-valuenow", re.compile("^[5-7]$"), timeout=20_000)
    page.get_by_role("button", name="Stop (Space)").click()
    stopped = cursor.get_attribute("aria-valuenow")
    expect(page).to_have_url(f"/sessions/{steps.id}?v={stopped}")


def test_a_pinned_version_is_compared(page: Page, steps: Session) -> None:
    page.goto(f"/sessions/{steps.id}?v=10")
    expect(cursor_of(page)).to_have_attribute("aria-valuenow", "10")
    page.keyboard.press("p")
    expect(page.get_by_role("slider", name="Pinned version")).to_have_attribute("aria-valuenow", "10")
    page.keyboard.press("End")
    page.keyboard.press("c")
    expect(page).to_have_url(re.compile(r"/compare\?.*pin=10"))
    expect(page.get_by_role("list", name="Changed items")).to_contain_text("step 39")


def test_an_abandoned_branch_is_stood_on(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}?v={prepared.wrong}")
    expect(page.get_by_text(f"on a branch abandoned at {prepared.backtrack}")).to_be_visible()
    state = page.get_by_role("complementary", name="State")
    expect(state).to_contain_text(HS256)
    expect(state).not_to_contain_text(RS256)


def test_a_deep_link_survives_a_reload(page: Page, prepared: Prepared) -> None:
    address = f"/sessions/{prepared.session.id}?v={prepared.wrong}&item={prepared.wrong}"
    page.goto(address)
    expect(page.get_by_role("complementary", name="State")).to_contain_text(HS256)
    page.reload()
    expect(page).to_have_url(address)
    expect(page.get_by_role("complementary", name="State")).to_contain_text(HS256)


def test_a_backtrack_takes_its_reason(page: Page, steps: Session) -> None:
    page.goto(f"/sessions/{steps.id}?v=10")
    page.get_by_role("button", name="Backtrack here").click()
    dialog = page.get_by_role("dialog")
    confirm = dialog.get_by_role("button", name="Backtrack to 10")
    expect(confirm).to_be_disabled()
    dialog.get_by_role("textbox", name="Reason").fill("the plan was wrong")
    confirm.click()
    expect(page).to_have_url(f"/sessions/{steps.id}")
    (done,) = [event for event in steps.events() if event.type == "session.backtracked"]
    assert steps.items.text_at((done.version, 0)) == "the plan was wrong"
    assert set(steps.state.items) == set(steps.at(10).items)
    expect(cursor_of(page)).to_have_attribute("aria-valuenow", str(done.version))


def test_a_fork_begins_there(page: Page, steps: Session, page_store: ContextStore) -> None:
    page.goto(f"/sessions/{steps.id}?v=12")
    page.get_by_role("button", name="Fork from here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Title of the fork").fill("Another way")
    dialog.get_by_role("button", name="Fork from 12").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Another way")
    fork = page_store.session(page.url.rsplit("/", 1)[-1].split("?")[0])
    assert set(fork.state.items) == set(steps.at(12).items)
