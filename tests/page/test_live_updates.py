"""What others record shows at once, and moves nothing that is being read."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore

LINES = "\n\n".join(f"Line {number} of a long message." for number in range(40))


@pytest.fixture
def session(page_store: ContextStore) -> Session:
    session = page_store.start(title="Watch the lamp", limit=20_000)
    for number in range(4):
        session.message(f"{number}: {LINES}")
    return session


def test_a_message_of_another_process_shows_at_the_end(
    page: Page, session: Session, page_database: str
) -> None:
    page.goto(f"/sessions/{session.id}")
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("3: Line 0")
    newest = session.version + 1
    with ContextStore.open(page_database) as other:
        other.session(session.id).by("coder").message("The lamp is on.", role="agent")
    expect(entries).to_contain_text("The lamp is on.")
    expect(page.get_by_role("slider", name="Version", exact=True)).to_have_attribute(
        "aria-valuenow", str(newest)
    )
    expect(page.get_by_role("complementary", name="Context")).to_contain_text("coder: The lamp is on.")


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


def test_the_past_does_not_move(page: Page, session: Session) -> None:
    page.goto(f"/sessions/{session.id}?v=3")
    expect(page.get_by_text(f"version 3 of {session.version}")).to_be_visible()
    newest = session.message("One more.")
    expect(page.get_by_text(f"version 3 of {newest}")).to_be_visible()
    expect(page.get_by_role("region", name="Entries")).not_to_contain_text("One more.")


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


def test_a_lost_connection_is_said_and_found_again(page: Page, session: Session) -> None:
    severed: list[WebSocketRoute] = []
    cut = False

    def through(socket: WebSocketRoute) -> None:
        if cut:
            socket.close()
            return
        socket.connect_to_server()
        severed.append(socket)

    page.route_web_socket("**/live/ws", through)
    page.goto(f"/sessions/{session.id}")
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("3: Line 0")
    cut = True
    for socket in severed:
        socket.close()
    expect(page.get_by_text("Not live.")).to_be_visible()
    session.message("Said while nobody listened.")
    cut = False
    expect(entries).to_contain_text("Said while nobody listened.")
    expect(page.get_by_text("Not live.")).to_have_count(0)
