"""The references of metrics and of settings say what the code has."""

import re
from pathlib import Path

from backstory.infrastructure.settings import Settings
from scripts.reference_metrics import PAGE, render

ROOT = Path(__file__).parents[2]


def test_the_metrics_are_those_of_the_code() -> None:
    assert (ROOT / PAGE).read_text() == render(), "run `make docs`"


def test_every_setting_is_there() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()
    said = set(re.findall(r"^\| `BACKSTORY_(\w+)` \|", page, flags=re.MULTILINE))
    assert said == {name.upper() for name in Settings.model_fields}
