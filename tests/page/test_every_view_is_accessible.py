"""Axe finds nothing on any view, in light and dark, on a desk and on a phone."""

import pytest

from tests.page.prepared import Prepared
from tests.page.visits import Visits, violations
from tests.service.served import Served

VIEWS = {
    "sessions": "/",
    "window": "/sessions/{session}",
    "past": "/sessions/{session}?v=20",
    "prompts": "/sessions/{session}/prompts",
    "calls": "/sessions/{session}/prompts?calls=all",
    "compactions": "/sessions/{session}/compactions",
    "compare": "/sessions/{session}/compare?pin=18&v=24",
    "search": "/search?q=tokens",
    "memory": "/memory",
    "decisions": "/decisions",
    "operations": "/operations",
    "nothing": "/there-is-no-such-view",
}


@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_axe_finds_nothing(visits: Visits, service: Served, prepared: Prepared, look: str) -> None:
    page = visits.open(service.url, dark=look == "dark", width=360 if look == "narrow" else 1440)
    found = {}
    for view, path in VIEWS.items():
        page.goto(path.format(session=prepared.session.id))
        page.wait_for_load_state("networkidle")
        if wrong := violations(page):
            found[view] = wrong
    assert found == {}, "\n".join(f"{view}: {one}" for view, all in found.items() for one in all)
