"""docs/reference/metrics.md: the metrics by the names under which they are exported."""

from pathlib import Path

from backstory.infrastructure.observability.metrics import ASKED, COUNTED, Measure

PAGE = Path("docs/reference/metrics.md")


def render() -> str:
    return f"""# Metrics

For Prometheus. A worker serves them with `backstory worker --metrics-port 9464`, on 127.0.0.1 unless told otherwise; a
process of your own counts them with `collect_metrics()`. See [Run the worker](../how-to/run-the-worker.md). A histogram
is exported with `_bucket`, `_count` and `_sum`. Names and labels are kept; [a dashboard](../operations/grafana.json) is
built on them.

## What a process counts of its own work

{_table(COUNTED)}

An append that a transaction of the caller's takes back is counted all the same.

## What a worker asks the database at every scrape

The same from every worker, whoever did the work. While the database does not answer, there is `backstory_database_up`
alone.

{_table(ASKED)}
"""


def _table(measures: tuple[Measure, ...]) -> str:
    rows = [
        f"| `{one.name}` | {one.kind} | {', '.join(f'`{label}`' for label in one.labels) or '–'} | {one.says} |"
        for one in measures
    ]
    return "\n".join(["| metric | kind | labels | |", "|---|---|---|---|", *rows])
