"""The page in a real browser, at a session of 100,000 events and 10,000 items: the first content, the cursor, and the
memory after live updates. The browser's own trace of the cursor is written to `dist/page-trace.json`.

Needs the built page (`make page`), Chromium, and Playwright, which the environment of the tests has."""

import random
import shutil
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median, quantiles

from backstory import ContextStore, Session
from benchmarks.goals import Row
from benchmarks.messages import MESSAGES
from benchmarks.service import serving

EVENTS, QUICK_EVENTS = 100_000, 5_000
ITEMS, QUICK_ITEMS = 10_000, 500
BATCH = 250
MOVES = 60
LIVE_SECONDS, QUICK_SECONDS = 120, 20
EVENTS_A_SECOND = 20
MOST_CURSOR = 100
"""Milliseconds in which the cursor answers."""
TRACE = Path("dist/page-trace.json")

BROWSER = {
    "locale": "en-US",
    "viewport": {"width": 1440, "height": 900},
    # What is measured with would be refused by the page's own policy.
    "bypass_csp": True,
}
WATCH = """() => {
  window.timing = { began: 0, moved: null, shown: null };
  const begin = () => Object.assign(timing, { began: performance.now(), moved: null, shown: null });
  addEventListener('pointerdown', begin, true);
  const look = () => {
    const at = document.querySelector('[data-cursor=cursor]').getAttribute('aria-valuenow');
    if (timing.moved === null && timing.began) timing.moved = performance.now() - timing.began;
    const pane = document.querySelector('aside[aria-label=State]');
    const words = pane.innerText.replaceAll(',', '');
    if (timing.shown === null && !pane.dataset.stale && words.includes('at version ' + at))
      timing.shown = performance.now() - timing.began;
  };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.querySelector('#root'), all);
}"""


def page_rows(url: str, *, quick: bool) -> Iterable[Row]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("needs Chromium: apt-get install chromium")
    events, items = (QUICK_EVENTS, QUICK_ITEMS) if quick else (EVENTS, ITEMS)
    with ContextStore.open(url) as store:
        session = _grown(store, events, items)
        of = f"of {events:,} events"
        with serving(url) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium)
            path = f"{address}/sessions/{session.id}"
            loads = [_first_content(browser, path) for _ in range(2 if quick else 5)]
            painted, shown = (median(taken) for taken in zip(*loads, strict=True))
            yield Row(
                f"page: first content of a session {of}",
                f"{painted:.0f} ms painted, {shown:.0f} ms whole",
                "–",
                None,
            )
            page = _open(browser, path)
            TRACE.parent.mkdir(exist_ok=True)
            browser.start_tracing(page=page, path=TRACE)
            moved, settled = _moves(page)
            browser.stop_tracing()
            yield Row(
                "page: the cursor moves",
                _percentiles(moved),
                f"p95 ≤ {MOST_CURSOR} ms",
                _p95(moved) <= MOST_CURSOR,
            )
            yield Row(
                "page: the state of the version is shown, 80 ms of rest included",
                _percentiles(settled),
                "–",
                None,
            )
            seconds = QUICK_SECONDS if quick else LIVE_SECONDS
            before, after, shown_events = _memory(page, session, seconds)
            detail = f"{before:.1f} → {after:.1f} MB after {seconds} s of {EVENTS_A_SECOND} events a second"
            yield Row("page: memory", f"{detail}, {shown_events:,} events told", "–", None)
            browser.close()


def _grown(store: ContextStore, events: int, items: int) -> Session:
    """A session with a window of so many items, and with marks of every kind."""
    session = store.start(title="A long run", project="bench", limit=items * 250)
    ids: list[int] = []
    while (version := session.version) < events:
        batch = min(BATCH, events - version)
        leave = ids[: max(0, len(ids) + batch - items)]
        with session.by(f"agent-{version // BATCH % 3}").atomic() as tx:
            if leave:
                tx.items.remove(*leave)
            for number in range(batch - bool(leave)):
                tx.message(MESSAGES[(version + number) % len(MESSAGES)])
        ids = ids[len(leave) :] + list(range(version + 1 + bool(leave), session.version + 1))
        if version // 2_500 != session.version // 2_500:
            session.checkpoints.create(f"at {session.version}")
            session.decide(f"Go on after {session.version}", rationale="it goes well")
        if version // 10_000 != session.version // 10_000 and len(ids) > 200:
            session.window.compacted("What was said.", summarized=ids[:100], algorithm="bench")
            ids = ids[100:]
    return session


def _open(browser, path: str):  # type: ignore[no-untyped-def]
    context = browser.new_context(**BROWSER)
    page = context.new_page()
    page.goto(path)
    page.wait_for_selector("aside[aria-label=State] h2, aside[aria-label=State] h3")
    page.wait_for_load_state("networkidle")
    return page


def _first_content(browser, path: str) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    """Milliseconds until something is painted, and until state, conversation and timeline stand."""
    context = browser.new_context(**BROWSER)
    page = context.new_page()
    began = time.perf_counter()
    page.goto(path, wait_until="commit")
    page.wait_for_selector("aside[aria-label=State] [class*=version]")
    page.wait_for_selector("[data-cursor=cursor]")
    page.wait_for_selector(".feed li .entry, .feed .entry")
    whole = (time.perf_counter() - began) * 1000
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    context.close()
    return painted, whole


def _moves(page) -> tuple[list[float], list[float]]:  # type: ignore[no-untyped-def]
    """Clicks on places of the timeline: milliseconds until the flag stands there, and until the page shows it."""
    page.evaluate(WATCH)
    box = page.locator("svg:has([role=slider])").first.bounding_box()
    dice = random.Random(7)
    moved, shown = [], []
    for _ in range(MOVES):
        page.mouse.click(box["x"] + dice.uniform(80, box["width"] - 80), box["y"] + box["height"] / 3)
        page.wait_for_function("timing.shown !== null", timeout=60_000)
        timing = page.evaluate("timing")
        moved.append(timing["moved"])
        shown.append(timing["shown"])
    return moved, shown


def _memory(page, session: Session, seconds: int) -> tuple[float, float, int]:  # type: ignore[no-untyped-def]
    """Megabytes of the page's heap, before and after events came for a while; and how many came."""
    devtools = page.context.new_cdp_session(page)

    def heap() -> float:
        devtools.send("HeapProfiler.collectGarbage")
        return float(devtools.send("Runtime.getHeapUsage")["usedSize"]) / 1e6

    page.keyboard.press("End")
    page.wait_for_load_state("networkidle")
    before, first = heap(), session.version
    stop = threading.Event()

    def speak() -> None:
        number = 0
        while not stop.wait(1 / EVENTS_A_SECOND):
            session.by("agent-0").message(MESSAGES[number % len(MESSAGES)])
            number += 1

    speaker = threading.Thread(target=speak)
    speaker.start()
    page.wait_for_timeout(seconds * 1000)
    stop.set()
    speaker.join()
    page.wait_for_function(
        f"Number(document.querySelector('[data-cursor=cursor]').getAttribute('aria-valuenow')) >= {session.version}",
        timeout=60_000,
    )
    return before, heap(), session.version - first


def _p95(taken: list[float]) -> float:
    return quantiles(taken, n=20)[-1]


def _percentiles(taken: list[float]) -> str:
    return f"p50 {median(taken):.0f} ms, p95 {_p95(taken):.0f} ms"
