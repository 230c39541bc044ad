"""Metrics scraped over HTTP say what was done; without them nobody watches."""

from datetime import UTC, datetime
from urllib.request import urlopen

import psycopg
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from backstory import InvalidInput, Worker, collect_metrics, stop_metrics
from backstory.application.jobs.jobs import JOBS, Job
from backstory.application.jobs.metrics import MetricsServer
from backstory.infrastructure.observability import watchers
from backstory.infrastructure.observability.metrics import MEASURES
from tests.jobs.conftest import came_of

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def server(own_store):
    server = MetricsServer(own_store, 0)
    yield server
    server.close()


def scrape(server):
    with urlopen(server.url, timeout=60) as answer:
        text = answer.read().decode()
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_what_is_written_is_counted(own_store, server):
    session = own_store.start()
    for number in range(3):
        session.message(f"message {number}")
    session.context(4_000)
    own_store.start(session.id)
    found = scrape(server)
    events = sum(value for (name, *_), value in found.items() if name == "backstory_events_total")
    assert found["backstory_append_seconds_count",] == session.version == events
    assert found["backstory_append_seconds_sum",] > 0
    assert found["backstory_events_total", "message.added"] == 3
    assert found["backstory_context_seconds_count",] == 1
    assert found["backstory_conflicts_total", "version-conflict"] == 1


def test_what_is_taken_out_of_a_window_is_counted(own_store, server):
    session = own_store.start()
    for number in range(40):
        session.message(f"message {number}: " + "about the same old thing " * 20)
    done = session.window.compact("preserve_summarize_discard", threshold=0)
    found = scrape(server)
    algorithm = "preserve_summarize_discard"
    assert found["backstory_compactions_total", algorithm] == 1
    saved = found["backstory_tokens_saved_total", algorithm]
    assert saved == done.tokens_before - done.tokens_after > 0


def test_what_jobs_do_is_counted(own_store, server):
    own_store.start().occurred(LONG_AGO).items.save("code", "x", importance=0.9)

    def fail(turn):
        raise RuntimeError("no")

    Worker(own_store, jobs=[*JOBS, Job("broken", "fails", 60, 60, fail)]).run_once()
    came_of(Worker(own_store))  # Nothing is due, and a look is no run.
    found = scrape(server)
    assert (
        sum(value for (name, *_), value in found.items() if name == "backstory_job_runs_total")
        == len(JOBS) + 1
    )
    assert found["backstory_tier_changes_total", "COLD"] == 1
    assert found["backstory_job_runs_total", "done", "tiers"] == 1
    assert found["backstory_job_runs_total", "broken", "failed"] == 1
    assert found["backstory_job_changed_total", "tiers"] == 1
    assert found["backstory_job_seconds_count", "tiers"] == 1
    assert found["backstory_job_failures", "tiers"] == 0
    assert found["backstory_job_overdue_seconds", "tiers"] == 0
    assert found["backstory_job_last_done_timestamp_seconds", "tiers"] > LONG_AGO.timestamp()
    assert found["backstory_database_up",] == 1


def test_how_the_feed_stands_is_asked_for(own_store, server):
    session = own_store.start()
    with psycopg.connect(own_store._runtime.database.url, autocommit=True) as superuser:
        superuser.execute("select backstory.track('search', 1)")
    session.message("one more")
    found = scrape(server)
    assert found["backstory_feed_lag_events",] >= 0
    assert found["backstory_feed_consumer_lag_events", "search"] == 1
    assert found["backstory_feed_consumer_lag_seconds", "search"] > 0


def test_a_database_that_is_away_is_said_to_be(own_store, server, monkeypatch):
    monkeypatch.setattr("backstory.application.jobs.metrics.SCRAPE_SECONDS", 0.2)
    server._metrics._asked._url = "host=127.0.0.1 port=1 user=me password=hunter2secret"
    found = scrape(server)
    assert found["backstory_database_up",] == 0
    assert ("backstory_feed_lag_events",) not in found
    server._metrics._asked._url = own_store._runtime.database.url
    assert scrape(server)["backstory_database_up",] == 1


def test_the_exported_names_are_those_promised(own_store, server):
    """Every measure is there, by its name; and nothing of ours beside them."""
    own_store.start()
    with urlopen(server.url, timeout=60) as answer:
        text = answer.read().decode()
    exported = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE backstory_")}
    assert {name for name in exported if not name.endswith("_created")} == {one.name for one in MEASURES}


def test_it_listens_on_this_machine_alone(server):
    assert server.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("port", [-1, 65_536, True, "9464"])
def test_a_port_that_is_none_is_refused(own_store, port):
    with pytest.raises(InvalidInput, match="metrics_port"):
        MetricsServer(own_store, port)
    assert watchers.watchers == ()


def test_a_port_that_is_taken_is_refused(own_store, server):
    port = int(server.url.split(":")[2].split("/")[0])
    with pytest.raises(InvalidInput, match="cannot be listened on"):
        MetricsServer(own_store, port)


def test_a_process_of_ones_own_counts_in_its_registry(own_store):
    registry = CollectorRegistry()
    assert collect_metrics(registry) is collect_metrics(registry) is registry
    own_store.start()
    assert registry.get_sample_value("backstory_append_seconds_count") == 1
    stop_metrics(registry)
    own_store.start()
    assert registry.get_sample_value("backstory_append_seconds_count") is None
    assert watchers.watchers == ()
    collect_metrics(registry)
    own_store.start()
    assert registry.get_sample_value("backstory_append_seconds_count") == 1
    stop_metrics(registry)
    stop_metrics(registry)


def test_labels_have_few_values(own_store):
    """Types and algorithms are the users' to name."""
    registry = collect_metrics(CollectorRegistry())
    session = own_store.start()
    for number in range(60):
        session.window.compacted("y", summarized=[session.message("x")], algorithm=f"mine {number}")
    values = {
        sample.labels["algorithm"]
        for family in registry.collect()
        if family.name == "backstory_compactions"
        for sample in family.samples
    }
    assert len(values) <= 31
    assert registry.get_sample_value("backstory_compactions_total", {"algorithm": "other"}) > 0
