"""Prometheus metrics. The names are a promise: dashboards and alerts are built on them."""

from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram

from backstory.infrastructure.observability.watchers import End

_FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_SLOW = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 1800.0)


class Measure(NamedTuple):
    """A metric: its name as it is exported, its kind, what it says, its labels."""

    name: str
    kind: str
    says: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


COUNTED = (
    Measure(
        "backstory_append_seconds",
        "histogram",
        "Seconds of an append: one call of the database, with its commit.",
        (),
        _FAST,
    ),
    Measure("backstory_events_total", "counter", "Events appended, by type.", ("type",)),
    Measure(
        "backstory_conflicts_total",
        "counter",
        "Writes refused because another writer came first, by error. Most are decided again and succeed.",
        ("error",),
    ),
    Measure("backstory_context_seconds", "histogram", "Seconds to build the context of a call.", (), _FAST),
    Measure(
        "backstory_tier_changes_total", "counter", "Items moved to another tier, by the new tier.", ("tier",)
    ),
    Measure(
        "backstory_compactions_total",
        "counter",
        "Compactions of windows, by algorithm, including prunes and stubs.",
        ("algorithm",),
    ),
    Measure(
        "backstory_tokens_saved_total",
        "counter",
        "Tokens that compactions removed, minus those of their summaries and stubs.",
        ("algorithm",),
    ),
    Measure(
        "backstory_job_runs_total",
        "counter",
        "Runs of jobs by this worker, by outcome: done, failed, timed out, stopped.",
        ("job", "outcome"),
    ),
    Measure("backstory_job_seconds", "histogram", "Seconds of a job's run.", ("job",), _SLOW),
    Measure("backstory_job_changed_total", "counter", "Objects changed by jobs, mostly sessions.", ("job",)),
    Measure(
        "backstory_request_seconds",
        "histogram",
        "Seconds of a request of the service, by operation and status. A live stream lasts until it ends.",
        ("operation", "status"),
        _FAST,
    ),
)
"""The metrics of a process's own work."""

ASKED = (
    Measure("backstory_database_up", "gauge", "Whether the database answered this scrape: 1 or 0."),
    Measure("backstory_feed_lag_events", "gauge", "Positions that readers cannot get yet."),
    Measure("backstory_feed_lag_seconds", "gauge", "The age of the oldest of these positions."),
    Measure(
        "backstory_feed_consumer_lag_events", "gauge", "Positions that a consumer is behind.", ("consumer",)
    ),
    Measure(
        "backstory_feed_consumer_lag_seconds",
        "gauge",
        "The age of the oldest event that a consumer has not read.",
        ("consumer",),
    ),
    Measure("backstory_job_failures", "gauge", "Consecutive failures of a job, on any worker.", ("job",)),
    Measure("backstory_job_overdue_seconds", "gauge", "The time since a job became due, or 0.", ("job",)),
    Measure(
        "backstory_job_last_done_timestamp_seconds",
        "gauge",
        "The start of a job's last successful run, in seconds since 1970.",
        ("job",),
    ),
)
"""The metrics that a worker reads from the database at every scrape."""

MEASURES = (*COUNTED, *ASKED)


class Metrics:
    """Counts in a registry what this process does."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._counters: dict[str, Counter] = {}
        self._histograms: dict[str, Histogram] = {}
        self._known: dict[tuple[str, ...], Counter] = {}
        for one in COUNTED:
            if one.kind == "counter":
                self._counters[one.name] = Counter(one.name, one.says, one.labels, registry=registry)
            else:
                self._histograms[one.name] = Histogram(
                    one.name, one.says, one.labels, buckets=one.buckets, registry=registry
                )

    def close(self) -> None:
        """Takes them out of the registry."""
        for collector in (*self._counters.values(), *self._histograms.values()):
            self._registry.unregister(collector)

    def begun(self, operation: str, facts: dict[str, Any]) -> End | None:
        histogram = self._histograms.get(f"backstory_{operation}_seconds")
        if histogram is None:
            return None

        def end(seconds: float, error: BaseException | None, found: dict[str, Any]) -> None:
            if operation == "job":
                self._job(str(facts["job"]), seconds, found)
            elif operation == "request":
                histogram.labels(operation=found["operation"], status=found["status"]).observe(seconds)
            elif error is None:
                histogram.observe(seconds)

        return end

    def happened(self, what: str, amount: float, labels: dict[str, str]) -> None:
        # Looking a labelled counter up takes the library longer than counting.
        place = (what, *labels.values())
        if (counter := self._known.get(place)) is None:
            counter = self._known[place] = self._counters[f"backstory_{what}_total"].labels(**labels)
        counter.inc(amount)

    def _job(self, job: str, seconds: float, facts: dict[str, Any]) -> None:
        outcome = facts.get("outcome", "failed")
        self._counters["backstory_job_runs_total"].labels(job=job, outcome=outcome).inc()
        self._histograms["backstory_job_seconds"].labels(job=job).observe(seconds)
        self._counters["backstory_job_changed_total"].labels(job=job).inc(facts.get("changed") or 0)
