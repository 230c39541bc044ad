"""Spans for OpenTelemetry, where that is installed and asked for."""

import logging
import os
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from backstory.infrastructure.observability import watchers

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

_ASKING = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_DEFAULT_EXPORTER = "otlp"
_LOGGER = logging.getLogger("backstory.traces")


class Spans:
    """Makes a span of every operation. Names, numbers and ids only: no content comes into a trace."""

    def __init__(self, provider: "TracerProvider | None" = None) -> None:
        from opentelemetry import trace

        self._tracer = trace.get_tracer("backstory", tracer_provider=provider)

    def begun(self, operation: str, facts: dict[str, Any]) -> watchers.End:
        from opentelemetry import context, trace

        span = self._tracer.start_span(f"backstory.{operation}", attributes=_attributes(facts))
        token = context.attach(trace.set_span_in_context(span))

        def end(seconds: float, error: BaseException | None, found: dict[str, Any]) -> None:
            context.detach(token)
            span.set_attributes(_attributes(found))
            if error is not None:
                # Its text may quote what was written.
                span.set_attribute("error.type", getattr(error, "code", type(error).__name__))
                span.set_status(trace.StatusCode.ERROR)
            span.end()

        return end

    def happened(self, what: str, amount: float, labels: dict[str, str]) -> None:
        """Counts are no spans."""


_spans: Spans | None = None


def asked_for(environment: "os._Environ[str] | dict[str, str]" = os.environ) -> bool:
    """Whether the variables of OpenTelemetry's own ask for traces."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    return any(environment.get(name, "").strip().lower() not in ("", "none") for name in _ASKING)


def start_spans() -> bool:
    """Makes spans from now on, with the process's tracer provider. Where OpenTelemetry is not installed: nothing."""
    global _spans
    if find_spec("opentelemetry") is None:
        _LOGGER.debug("traces were asked for, and opentelemetry is not installed")
        return False
    if _spans is None:
        _spans = Spans()
        watchers.watch(_spans)
    return True


def provide(service: str) -> Any:
    """A tracer provider for a process of ours that has none, as OpenTelemetry's variables ask for. None where the
    process has one, or the parts are not installed."""
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return None
    if isinstance(trace.get_tracer_provider(), TracerProvider):
        return None
    name = os.environ.get("OTEL_TRACES_EXPORTER", _DEFAULT_EXPORTER).strip() or _DEFAULT_EXPORTER
    found = [
        point
        for wanted in ((name, "otlp_proto_http") if name == _DEFAULT_EXPORTER else (name,))
        for point in entry_points(group="opentelemetry_traces_exporter", name=wanted)
    ]
    for point in found:
        try:
            exporter = point.load()()
        except ImportError:
            continue
        provider = TracerProvider(resource=Resource.create({"service.name": service}))
        provider.add_span_processor(BatchSpanProcessor(exporter))
        trace.set_tracer_provider(provider)
        return provider
    _LOGGER.warning("traces were asked for, and no exporter named %r is installed", name)
    return None


def _attributes(facts: dict[str, Any]) -> dict[str, Any]:
    return {
        f"backstory.{name}": value if isinstance(value, int | float | str | bool) else str(value)
        for name, value in facts.items()
        if value is not None
    }
