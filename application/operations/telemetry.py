"""Metrics and traces of this process, if they are asked for."""

import logging
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from backstory.application.bootstrap import make_runtime
from backstory.application.runtime import Runtime
from backstory.domain.errors import InvalidInput
from backstory.domain.values import whole_number
from backstory.infrastructure.observability import traces, watchers
from backstory.infrastructure.postgres.job_connections import JobDatabase

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

    from backstory.application.store import ContextStore
    from backstory.infrastructure.observability.metrics import Metrics
    from backstory.infrastructure.settings import Settings

SCRAPE_SECONDS = 2.0
"""Seconds that the database may take to answer a scrape."""
LOCALHOST = "127.0.0.1"

_LOGGER = logging.getLogger("backstory.metrics")
_collected: "dict[CollectorRegistry, Metrics]" = {}


def collect_metrics(registry: "CollectorRegistry | None" = None) -> "CollectorRegistry":
    """Collects metrics of this process in a registry of `prometheus_client`, by default its global one. The process
    serves them itself; a worker has a server."""
    from prometheus_client import REGISTRY

    from backstory.infrastructure.observability.metrics import Metrics

    chosen = REGISTRY if registry is None else registry
    if chosen not in _collected:
        _collected[chosen] = Metrics(chosen)
        watchers.watch(_collected[chosen])
    return chosen


def stop_metrics(registry: "CollectorRegistry | None" = None) -> None:
    """Stops collecting in this registry, and removes the metrics."""
    from prometheus_client import REGISTRY

    metrics = _collected.pop(REGISTRY if registry is None else registry, None)
    if metrics is not None:
        watchers.unwatch(metrics)
        metrics.close()


class MetricsServer:
    """Serves a worker's metrics over HTTP, with the status of the feed and the jobs at each scrape."""

    def __init__(self, store: "ContextStore", port: int, address: str = LOCALHOST) -> None:
        from prometheus_client import (
            CollectorRegistry,
            GCCollector,
            PlatformCollector,
            ProcessCollector,
            start_http_server,
        )

        whole_number("metrics_port", port, minimum=0, maximum=65_535)
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        collect_metrics(self.registry)
        self._asked = StoreCollector(store)
        try:
            self._server, self._thread = start_http_server(port, address, self.registry)
        except (OSError, OverflowError) as error:
            self._forget()
            reason = getattr(error, "strerror", None) or "no such address"
            raise InvalidInput("metrics_port", f"{address}:{port} cannot be listened on: {reason}") from None
        self.registry.register(self._asked)
        self.url = f"http://{address}:{self._server.server_port}/metrics"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._forget()

    def _forget(self) -> None:
        stop_metrics(self.registry)
        self._asked.close()


class StoreCollector:
    """Queries the database at every scrape, on its own connections. They are closed when it does not answer, so that
    a scrape reports that instead of waiting."""

    def __init__(self, store: "ContextStore") -> None:
        self._url = store._runtime.database.url
        self._runtime: Runtime | None = None
        self._asking = threading.Lock()

    def close(self) -> None:
        if self._runtime is not None:
            self._runtime.database.close()
            self._runtime = None

    def describe(self) -> "Iterable[Metric]":
        """Returns nothing, so that registering runs no query."""
        return ()

    def collect(self) -> "Iterable[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        from backstory.infrastructure.observability.metrics import ASKED

        found: dict[str, list[tuple[list[str], float]]] = {one.name: [] for one in ASKED}
        try:
            with self._asking:
                self._ask(self._connected(), found)
            found["backstory_database_up"] = [([], 1.0)]
        except Exception as error:
            self.close()
            _LOGGER.warning("the database did not answer a scrape: %s", type(error).__name__)
            found = {name: [] for name in found} | {"backstory_database_up": [([], 0.0)]}
        for one in ASKED:
            family = GaugeMetricFamily(one.name, one.says, labels=one.labels)
            for labels, value in found[one.name]:
                family.add_metric(labels, value)
            yield family

    def _connected(self) -> Runtime:
        if self._runtime is None:
            database = JobDatabase(self._url, limit=SCRAPE_SECONDS, pool_size=1, patience=SCRAPE_SECONDS)
            database.open()
            self._runtime = make_runtime(database)
        return self._runtime

    def _ask(self, runtime: Runtime, found: dict[str, list[tuple[list[str], float]]]) -> None:
        from backstory.application.feed.feed import feed_status
        from backstory.application.jobs import history
        from backstory.application.jobs.jobs import JOBS

        for job in history.states(runtime.database, {job.name: job.every for job in JOBS}):
            found["backstory_job_failures"].append(([job.job], job.failures))
            late = max(0.0, (job.now - job.due_at).total_seconds())
            found["backstory_job_overdue_seconds"].append(([job.job], late))
            if job.last_done is not None:
                when = (job.last_done - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
                found["backstory_job_last_done_timestamp_seconds"].append(([job.job], when))
        feed = feed_status(runtime)
        found["backstory_feed_lag_events"].append(([], feed.behind))
        found["backstory_feed_lag_seconds"].append(([], feed.seconds))
        for consumer in feed.consumers:
            found["backstory_feed_consumer_lag_events"].append(([consumer.name], consumer.behind))
            found["backstory_feed_consumer_lag_seconds"].append(([consumer.name], consumer.seconds))


def start_traces(settings: "Settings") -> bool:
    """Starts spans, if the settings or OpenTelemetry's own variables ask for them."""
    return (settings.traces or traces.asked_for()) and traces.start_spans()


def provide_traces() -> Any:
    """A tracer provider for a command, if OpenTelemetry's variables ask for one."""
    return traces.provide("backstory") if traces.asked_for() else None
