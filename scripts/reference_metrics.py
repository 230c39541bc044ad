"""docs/reference/metrics.md: the metrics by the names under which they are exported."""

from pathlib import Path

from backstory.infrastructure.observability.metrics import ASKED, COUNTED, Measure

PAGE = Path("docs/reference/metrics.md")


def render() -> str:
    return f"""# Metrics

Metrics are exported for Prometheus. A worker serves them with `backstory worker --metrics-port 9464`, on 127.0.0.1 by
default. In your own process, call `collect_metrics()`. See [Run the worker](../how-to/run-the-worker.md#monitor). A
histogram is exported with `_bucket`, `_count` and `_sum`. Names and labels are stable;
[a dashboard](../operations/grafana.json) uses them.

## Counted in each process

{_table(COUNTED)}

An append is counted even if the caller's transaction rolls it back.

## Read from the database at every scrape

Every worker reports the same values. While the database does not answer, only `backstory_database_up` is reported.

{_table(ASKED)}
"""


def _table(measures: tuple[Measure, ...]) -> str:
    rows = [
        f"| `{one.name}` | {one.kind} | {', '.join(f'`{label}`' for label in one.labels) or '–'} | {one.says} |"
        for one in measures
    ]
    return "\n".join(["| metric | kind | labels | |", "|---|---|---|---|", *rows])
