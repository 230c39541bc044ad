"""Metrics and traces of this process, if they are asked for."""

from typing import TYPE_CHECKING, Any

from backstory.infrastructure.observability import traces, watchers

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from backstory.infrastructure.observability.metrics import Metrics
    from backstory.infrastructure.settings import Settings

watching = watchers.watching
"""Tells metrics and traces of an operation."""

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


def start_traces(settings: "Settings") -> bool:
    """Starts spans, if the settings or OpenTelemetry's own variables ask for them."""
    return (settings.traces or traces.asked_for()) and traces.start_spans()


def provide_traces() -> Any:
    """A tracer provider for a command, if OpenTelemetry's variables ask for one."""
    return traces.provide("backstory") if traces.asked_for() else None
