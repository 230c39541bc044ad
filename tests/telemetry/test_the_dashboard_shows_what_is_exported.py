"""The Grafana dashboard asks for metrics by their exact names, with labels that they have."""

import json
import re
from pathlib import Path

from backstory.infrastructure.observability.metrics import MEASURES

DASHBOARD = json.loads((Path(__file__).parents[2] / "docs" / "operations" / "grafana.json").read_text())
EXPRESSIONS = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


def samples():
    """The names of all samples, with their labels."""
    found = {}
    for one in MEASURES:
        ends = ("_bucket", "_count", "_sum") if one.kind == "histogram" else ("",)
        for end in ends:
            found[one.name + end] = {*one.labels, *(("le",) if end == "_bucket" else ())}
    return found


def test_every_name_is_exported():
    asked = {name for expression in EXPRESSIONS for name in re.findall(r"backstory_\w+", expression)}
    assert asked <= set(samples())


def test_every_metric_is_shown():
    text = " ".join(EXPRESSIONS)
    assert [one.name for one in MEASURES if one.name not in text] == []


def test_every_label_is_one_that_the_metric_has():
    known = samples()
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            names = re.findall(r"backstory_\w+", target["expr"])
            labels = {label for name in names for label in known[name]}
            grouped = re.findall(r"by \(([^)]*)\)", target["expr"])
            used = {label.strip() for group in grouped for label in group.split(",")}
            used |= set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            assert used <= labels, panel["title"]
