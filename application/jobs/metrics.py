"""The metrics of a worker, served over HTTP."""

import logging
import os
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg

from backstory.application.bootstrap import make_runtime
from backstory.application.feed.feed import feed_status
from backstory.application.jobs import history
from backstory.application.jobs.jobs import JOBS
from backstory.application.operations.redaction import reason_of
from backstory.application.operations.telemetry import collect_metrics, stop_metrics
from backstory.application.runtime import Runtime
from backstory.domain.errors import BackstoryError, InvalidInput
from backstory.domain.values import whole_number
from backstory.infrastructure.postgres.job_connections import JobDatabase

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

    from backstory.application.store import ContextStore

SCRAPE_SECONDS = 2.0
"""Seconds that the database may take to answer a scrape."""
LOCALHOST = "127.0.0.1"

_LOGGER = logging.getLogger("backstory.metrics")


class MetricsRegistry:
    """This process's metrics, with the status of the feed and the jobs at each scrape."""

    def __init__(self, store: "ContextStore") -> None:
        from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

        self.own = CollectorRegistry()
        collect_metrics(self.own)
        self._asked = StoreCollector(store)
        self.exported = self.own
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            # Several processes answer at one address: each one exports the sums of all.
            from prometheus_client.multiprocess import MultiProcessCollector

            self.exported = CollectorRegistry()
            MultiProcessCollector(self.exported)  # type: ignore[no-untyped-call]
        else:
            for collector in (ProcessCollector, PlatformCollector, GCCollector):
                collector(registry=self.exported)
        self.exported.register(self._asked)

    def text(self) -> bytes:
        """The metrics in the text format of Prometheus."""
        from prometheus_client import generate_latest

        return generate_latest(self.exported)

    def close(self) -> None:
        stop_metrics(self.own)
        self._asked.close()


class MetricsServer:
    """Serves a worker's metrics over HTTP."""

    def __init__(self, store: "ContextStore", port: int, address: str = LOCALHOST) -> None:
        from prometheus_client import start_http_server

        whole_number("metrics_port", port, minimum=0, maximum=65_535)
        self._metrics = MetricsRegistry(store)
        self.registry = self._metrics.exported
        try:
            self._server, self._thread = start_http_server(port, address, self.registry)
        except (OSError, OverflowError) as error:
            self._metrics.close()
            reason = getattr(error, "strerror", None) or "no such address"
            raise InvalidInput("metrics_port", f"{address}:{port} cannot be listened on: {reason}") from None
        self.url = f"http://{address}:{self._server.server_port}/metrics"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._metrics.close()


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

        samples: dict[str, list[tuple[list[str], float]]] = {gauge.name: [] for gauge in ASKED}
        try:
            with self._asking:
                self._ask(self._connected(), samples)
            samples["backstory_database_up"] = [([], 1.0)]
        except (BackstoryError, psycopg.Error, OSError) as error:
            self.close()
            _LOGGER.warning("the database did not answer a scrape: %s", reason_of(error, self._url))
            samples = {name: [] for name in samples} | {"backstory_database_up": [([], 0.0)]}
        for gauge in ASKED:
            family = GaugeMetricFamily(gauge.name, gauge.says, labels=gauge.labels)
            for labels, value in samples[gauge.name]:
                family.add_metric(labels, value)
            yield family

    def _connected(self) -> Runtime:
        if self._runtime is None:
            database = JobDatabase(self._url, limit=SCRAPE_SECONDS, pool_size=1, patience=SCRAPE_SECONDS)
            database.open()
            self._runtime = make_runtime(database)
        return self._runtime

    def _ask(self, runtime: Runtime, samples: dict[str, list[tuple[list[str], float]]]) -> None:
        for job in history.states(runtime.database, {job.name: job.every for job in JOBS}):
            samples["backstory_job_failures"].append(([job.job], job.failures))
            late = max(0.0, (job.now - job.due_at).total_seconds())
            samples["backstory_job_overdue_seconds"].append(([job.job], late))
            if job.last_done is not None:
                when = (job.last_done - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
                samples["backstory_job_last_done_timestamp_seconds"].append(([job.job], when))
        feed = feed_status(runtime)
        samples["backstory_feed_lag_events"].append(([], feed.behind))
        samples["backstory_feed_lag_seconds"].append(([], feed.seconds))
        for consumer in feed.consumers:
            samples["backstory_feed_consumer_lag_events"].append(([consumer.name], consumer.behind))
            samples["backstory_feed_consumer_lag_seconds"].append(([consumer.name], consumer.seconds))
