"""What was recorded is shown as text: it runs nothing, loads nothing, and leads nowhere by itself."""

import pytest
from playwright.sync_api import Page, expect

from backstory.application.session import Session
from backstory.application.store import ContextStore

HOSTILE = [
    "<script>document.title = 'owned'</script> plain words",
    "<img src=x onerror=\"document.title = 'owned'\">",
    "![pixel](http://tracker.example/pixel.png)",
    "[click me](javascript:document.title='owned')",
    "[data](data:text/html,<script>top.document.title='owned'</script>)",
    "<iframe src='http://tracker.example/'></iframe><style>body { display: none }</style>",
    "\u202egpj.exe and \x1b[31mred\x1b[0m",
    "</script><svg onload=\"document.title='owned'\">",
    "```html\n<script>document.title = 'owned'</script>\n```",
]


@pytest.fixture
def hostile(page_store: ContextStore) -> Session:
    session = page_store.start(title="<b>Hostile</b><script>1</script>", tags=["<i>tag</i>"], limit=8_000)
    session.set_system_prompt("<script>document.title = 'owned'</script>")
    told = [session.by("<img src=x onerror=alert(1)>").message(text) for text in HOSTILE]
    session.by("coder").tool_call("<script>", {"x": HOSTILE[1]}, call_id="call_1")
    session.by("coder").tool_result("call_1", HOSTILE[0])
    session.decide(HOSTILE[3], rationale=HOSTILE[2])
    session.context(4_000)
    session.window.compacted("\n\n".join(HOSTILE), summarized=told[:2], algorithm="<script>")
    return session


@pytest.mark.parametrize(
    "view",
    ["", "?v=8&item=5", "/prompts", "/compactions", "/compare?pin=4&v=12", "search", "list", "decisions"],
)
def test_it_is_shown_as_text(page: Page, hostile: Session, view: str) -> None:
    elsewhere = {
        "search": f"/search?q=document+title+owned&session={hostile.id}",
        "list": "/",
        "decisions": "/decisions",
    }
    opened: list[str] = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    page.goto(elsewhere.get(view, f"/sessions/{hostile.id}{view}"))
    page.wait_for_load_state("networkidle")
    assert "owned" not in page.title()
    assert opened == []
    assert (
        page.locator("#root script, #root iframe, #root style, #root img[src^=http], #root [onerror]").count()
        == 0
    )
    links = page.eval_on_selector_all("#root a[href]", "all => all.map(one => one.getAttribute('href'))")
    assert [link for link in links if link.lower().startswith(("javascript:", "data:", "vbscript:"))] == []
    expect(page.locator("body")).to_be_visible()


def test_its_words_are_all_there(page: Page, hostile: Session) -> None:
    page.goto(f"/sessions/{hostile.id}?v=10")
    entries = page.get_by_role("region", name="Entries")
    expect(entries).to_contain_text("plain words")
    expect(entries).to_contain_text("image not loaded: pixel")
