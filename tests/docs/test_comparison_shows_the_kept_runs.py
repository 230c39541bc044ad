"""The comparison on the page and its plot are made from the runs in the repository, and from nothing else."""

from benchmarks.plot import draw
from benchmarks.rivals.page import PAGE, PLOT, with_tables
from benchmarks.rivals.results import read_runs


def test_the_page_has_the_tables_of_the_kept_runs() -> None:
    page = PAGE.read_text()
    assert with_tables(page, read_runs()) == page, "run `make bench ARGS=--publish`"


def test_the_plot_draws_the_kept_runs() -> None:
    assert draw(read_runs()) == PLOT.read_text(), "run `make bench ARGS=--publish`"
