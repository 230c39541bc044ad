"""Spans of appends, contexts and jobs, where OpenTelemetry is there and asked for; otherwise nothing."""

import asyncio

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from backstory import AsyncContextStore, SessionNotOpen, Worker
from backstory.application.jobs.jobs import Job
from backstory.application.store import ContextStore
from backstory.infrastructure.observability import traces, watchers


@pytest.fixture
def spans():
    """The spans that were ended so far."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    watchers.watch(traces.Spans(provider))
    yield exporter.get_finished_spans
    provider.shutdown()


def test_an_append_is_a_span_without_contents(own_store, spans):
    session = own_store.start()
    session.message("a secret message")
    _, span = spans()
    assert span.name == "backstory.append"
    assert dict(span.attributes) == {
        "backstory.session": str(session.id),
        "backstory.events": 1,
        "backstory.version": 2,
    }


def test_what_fails_is_marked_without_its_text(own_store, spans):
    session = own_store.start()
    session.end("over")
    with pytest.raises(SessionNotOpen):
        session.message("a secret message")
    span = spans()[-1]
    assert span.status.status_code == trace.StatusCode.ERROR
    assert "secret" not in span.to_json()


def test_a_context_holds_the_append_that_records_it(own_store, spans):
    session = own_store.start()
    session.message("hello")
    session.context(4_000)
    context = spans()[-1]
    assert context.name == "backstory.context"
    inner = [span for span in spans() if span.parent and span.parent.span_id == context.context.span_id]
    assert inner
    assert {span.name for span in inner} == {"backstory.append"}


def test_a_job_holds_what_it_appends(own_store, spans):
    def work(turn):
        turn.store.start()
        return 1

    Worker(own_store, jobs=[Job("traced", "starts a session", 60, 60, work)]).run_once()
    append, job = spans()
    assert (append.name, job.name) == ("backstory.append", "backstory.job")
    assert append.parent.span_id == job.context.span_id
    assert dict(job.attributes) == {
        "backstory.job": "traced",
        "backstory.outcome": "done",
        "backstory.changed": 1,
    }


def test_awaited_calls_stay_in_the_callers_trace(own_store, spans):
    async def call():
        store = await AsyncContextStore.open(own_store._runtime.database.url)
        async with store:
            with trace.get_tracer("caller", tracer_provider=TracerProvider()).start_as_current_span(
                "mine"
            ) as mine:
                await store.start()
        return mine

    mine = asyncio.run(call())
    assert spans()[-1].parent.span_id == mine.get_span_context().span_id


@pytest.mark.parametrize(
    ("environment", "asked"),
    [
        ({}, False),
        ({"OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_it_is_asked_for_by_opentelemetrys_own_variables(environment, asked):
    assert traces.asked_for(environment) is asked


def test_opening_a_store_begins_it_when_asked(own_store, monkeypatch):
    url = own_store._runtime.database.url
    ContextStore.open(url).close()
    assert watchers.watchers == ()
    monkeypatch.setenv("BACKSTORY_TRACES", "true")
    for _ in range(2):
        ContextStore.open(url).close()
    assert [type(one) for one in watchers.watchers] == [traces.Spans]


def test_without_opentelemetry_there_is_nothing(own_store, monkeypatch):
    monkeypatch.setattr(traces, "find_spec", lambda name: None)
    monkeypatch.setenv("BACKSTORY_TRACES", "true")
    ContextStore.open(own_store._runtime.database.url).close()
    assert watchers.watchers == ()
