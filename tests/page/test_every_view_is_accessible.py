"""Axe finds nothing on any view, in light and dark, on a desk and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.prepared import TITLE, Prepared
from tests.page.visits import Visits, violations
from tests.service.served import Served

VIEWS = {
    "window": "/sessions/{session}",
    "prompts": "/sessions/{session}/prompts",
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_axe_finds_nothing(visits: Visits, service: Served, prepared: Prepared, view: str, look: str) -> None:
    page = visits.open(service.url, dark=look == "dark", width=360 if look == "narrow" else 1440)
    page.goto(VIEWS[view].format(session=prepared.session.id))
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


def test_the_title_names_the_session(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
