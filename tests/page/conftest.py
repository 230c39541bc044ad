"""A browser, and a service with the built page on a database of its own, for all tests of the page."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from backstory.application.store import ContextStore
from backstory.interfaces.http.serving.options import ServiceOptions
from backstory.interfaces.http.serving.page import BUILT
from tests.conftest import create_database, skip_or_fail
from tests.page.prepared import Prepared, prepare
from tests.page.visits import Visits
from tests.service.served import Served, served

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built page."""
    if not (BUILT / "index.html").is_file():
        skip_or_fail("needs the built page: make page")
    return BUILT


@pytest.fixture(scope="module")
def browser(built: Path) -> Iterator[Browser]:
    """A Chromium. One for each module: while Playwright runs, no other event loop can."""
    program = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if program is None:
        skip_or_fail("needs Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page_database(embedded_server: str, migrated_template: str) -> str:
    """The database of the sessions that the page shows: its URL."""
    return create_database(embedded_server, migrated_template)


@pytest.fixture(scope="session")
def page_store(page_database: str) -> Iterator[ContextStore]:
    with ContextStore.open(page_database) as store:
        yield store


@pytest.fixture(scope="session")
def prepared(page_store: ContextStore) -> Prepared:
    """The session that tests look at. Those that change something make their own."""
    return prepare(page_store)


@pytest.fixture(scope="session")
def service(page_store: ContextStore, built: Path) -> Iterator[Served]:
    with served(page_store, ServiceOptions(page=built)) as running:
        yield running


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Opens pages. At the end of the test none of them may have logged an error or asked another host."""
    visits = Visits(browser)
    try:
        yield visits
    finally:
        visits.close()
    visits.require_quiet()


@pytest.fixture
def page(visits: Visits, service: Served) -> Page:
    """A tab of its own, 1440 by 900."""
    return visits.open(service.url)
