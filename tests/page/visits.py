"""Visits of a browser: what they log, what they ask for, and what axe says of them."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.conftest import skip_or_fail

AXE = Path(__file__).parents[2] / "dashboard/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Visits:
    """Tabs of a browser that are watched."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.logged: list[str] = []
        """Errors and warnings of the console, and what the page threw. A test that provokes them removes them."""
        self.foreign: list[str] = []
        """Addresses of other hosts that were asked."""

    def open(self, url: str, *, width: int = 1440, height: int = 900, dark: bool = False) -> Page:
        """An empty tab with cookies of its own. Its addresses begin at the service's."""
        context = self._browser.new_context(
            base_url=url,
            locale="en-US",
            timezone_id="UTC",
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(20_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._log)
        page.on("pageerror", lambda error: self.logged.append(f"thrown: {error}"))
        page.on("request", lambda request: self._ask(url, request))
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def require_quiet(self) -> None:
        """Fails if something was logged, or another host was asked."""
        assert self.logged == [], self.logged
        assert self.foreign == []

    def _log(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.logged.append(f"{message.type}: {message.text}")

    def _ask(self, url: str, request: Request) -> None:
        if not request.url.startswith((url, "data:", "blob:")):
            self.foreign.append(request.url)


def violations(page: Page) -> list[str]:
    """What is inaccessible on a page, as axe says."""
    if not AXE.is_file():
        skip_or_fail("needs axe-core: make page")
    page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, {runOnly: rules}).then(found => found.violations)", RULES
    )
    return [
        f"{one['id']}: {one['help']}: " + " | ".join(node["html"][:200] for node in one["nodes"][:3])
        for one in found
    ]
