"""Takes the pictures of the page in docs/images, from the sample sessions: `.venv/bin/python scripts/screenshots.py`.

It needs the built page (`make page`) and Chromium. With names it takes only these: `scripts/screenshots.py prompt`."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs/images"
MOST = 300_000
"""Bytes of a picture."""


@contextmanager
def a_service() -> Iterator[str]:
    """A service of the sample, on a database of its own: its address."""
    with tempfile.TemporaryDirectory(prefix="backstory-shots-") as home:
        environment = os.environ | {"BACKSTORY_DATA_DIR": home}
        program = Path(sys.executable).with_name("backstory")
        command = [program, "serve", "--sample", "--no-worker", "--port", "0", "--json"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as service:
            try:
                assert service.stdout is not None
                yield json.loads(service.stdout.readline())["url"]
            finally:
                service.send_signal(signal.SIGINT)
                service.wait()
                subprocess.run([program, "db", "stop"], env=environment, check=True, capture_output=True)


def places(url: str) -> dict[str, str]:
    """The address of each view."""

    def ask(path: str, **query: Any) -> Any:
        return httpx.get(f"{url}/api/v1{path}", params=query, timeout=60).raise_for_status().json()

    sessions = ask("/sessions", tag="sample", limit=50)["sessions"]
    # The richest one is that of which the others are told apart.
    main = max(sessions, key=lambda session: session["version"])["session"]
    shown = ask(f"/sessions/{main}")
    back = shown["backtracks"][0]
    compactions = ask(f"/sessions/{main}/window/compactions", limit=50)["compactions"]
    compaction = max(compactions, key=lambda one: len(one["summarized"]))["version"]
    at = f"/sessions/{main}"
    return {
        "sessions": "/",
        "session": at,
        "time-travel": f"{at}?v={back['abandoned']}",
        "comparison": f"{at}/compare?pin={back['abandoned']}&v={back['version'] + 40}",
        "prompt": f"{at}/prompts",
        "compaction": f"{at}/compactions?v={compaction}",
        "search": "/search?q=how+do+services+verify+tokens",
    }


def take(browser: Browser, url: str, name: str, path: str, look: str) -> None:
    """Takes one picture."""
    context = browser.new_context(
        base_url=url,
        locale="en-US",
        viewport={"width": 1440, "height": 900},
        color_scheme="dark" if look == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(path)
    page.wait_for_load_state("networkidle")
    # What has no focus shows no ring.
    page.evaluate("document.activeElement?.blur()")
    file = IMAGES / f"page-{name}-{look}.png"
    page.screenshot(path=file)
    context.close()
    size = file.stat().st_size
    print(f"{file.relative_to(ROOT)}  {size / 1000:.0f} kB")
    if size > MOST:
        raise SystemExit(f"{file.name} has more than {MOST} bytes")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("needs Chromium: apt-get install chromium")
    IMAGES.mkdir(exist_ok=True)
    with a_service() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        for name, path in places(url).items():
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                for look in ("light", "dark"):
                    take(browser, url, name, path, look)
        browser.close()


if __name__ == "__main__":
    main()
