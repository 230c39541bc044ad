"""The plots in docs/images are those of the results that the benchmarks kept."""

import pytest

from benchmarks.kept import kept
from benchmarks.plots import IMAGES, PLOTS, plot


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_what_was_measured(name: str) -> None:
    title, headings, labels = PLOTS[name]
    drawn = plot(title, kept(name), headings, labels)
    assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == drawn, "run python -m benchmarks.plots"
