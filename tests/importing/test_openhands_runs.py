"""What the events of an OpenHands run become."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from backstory import ContextStore, Imported, Session
from tests.importing.transcripts import asked, event, observed, run

Ran = Callable[..., tuple[Session, Imported]]


@pytest.fixture
def ran(store: ContextStore, tmp_path: Path) -> Ran:
    """Imports one run."""

    def import_run(events: list[Any], instance: str | None = None, **fields: Any) -> tuple[Session, Imported]:
        file = tmp_path / "output.jsonl"
        file.write_bytes(run(instance or f"acme__{uuid4().hex}", events, **fields))
        (done,) = store.import_file(file)
        return store.session(done.session), done

    return import_run


def test_the_system_prompt_is_one(ran: Ran) -> None:
    session, _ = ran([event(0, action="system", args={"content": "Be brief."})])
    assert [(item.type, session.text(item.id)) for item in session.state.live()] == [
        ("system_prompt", "Be brief.")
    ]


def test_one_response_with_two_calls_is_one_message(ran: Ran) -> None:
    events = [asked(1, "r1", "a", "b"), asked(2, "r1", "a", "b"), observed(3, "a"), observed(4, "b")]
    session, done = ran(events)
    assert (done.exchanges, done.messages) == (1, 0)
    assert session.state.open_calls == {}
    assert len(list(session.events(types=["model.called"]))) == 1


def test_messages_errors_and_recalled_knowledge(ran: Ran) -> None:
    events = [
        event(0, source="user", action="message", args={"content": "Fix it."}),
        event(1, source="user", action="recall", args={"query": "Fix it."}),
        event(
            2,
            source="environment",
            observation="recall",
            content="Added context",
            extras={"microagent_knowledge": [{"name": "git", "content": "Use branches."}]},
        ),
        event(3, action="message", args={"content": "Which one?"}),
        event(4, observation="error", content="It failed."),
        event(5, observation="null", content=""),
    ]
    session, done = ran(events)
    said = [(item.role, session.text(item.id)) for item in session.state.live()]
    assert said == [
        ("user", "Fix it."),
        ("system", "Use branches."),
        ("agent", "Which one?"),
        ("system", "It failed."),
    ]
    assert done.messages == 4


@pytest.mark.parametrize(
    "given", [{"forgotten_event_ids": [0, 1]}, {"forgotten_events_start_id": 0, "forgotten_events_end_id": 1}]
)
def test_a_condensation_is_a_compaction(ran: Ran, given: dict[str, Any]) -> None:
    events = [
        event(0, source="user", action="message", args={"content": "one"}),
        event(1, action="message", args={"content": "two"}),
        event(2, source="user", action="message", args={"content": "three"}),
        event(3, action="condensation", args={"summary": "one and two", **given}),
    ]
    session, done = ran(events)
    assert [session.text(item.id) for item in session.state.live()] == ["three", "one and two"]
    assert done.compactions == 1


def test_a_condensation_may_have_no_summary(ran: Ran) -> None:
    events = [
        event(0, source="user", action="message", args={"content": "one"}),
        event(1, action="condensation", args={"forgotten_event_ids": [0]}),
    ]
    session, done = ran(events)
    assert session.state.live() == []
    assert done.compactions == 1


def test_pairs_of_older_versions(ran: Ran) -> None:
    session, done = ran([[asked(1, "r1", "a"), observed(2, "a")]])
    assert done.exchanges == 1
    assert session.state.open_calls == {}


def test_times_are_in_the_zone_that_the_providers_clock_tells(ran: Ran) -> None:
    created = int(datetime(2025, 4, 30, 10, 59, 58, tzinfo=UTC).timestamp())
    # 16:30 in India.
    session, _ = ran(
        [
            event(0, source="user", action="message", args={"content": "x"}),
            asked(30, "r", "a", created=created),
        ]
    )
    times = [one.occurred_at for one in session.events(types=["message.added", "tool.called"])]
    assert times == [
        datetime(2025, 4, 30, 10, 30, 0, 500_000, UTC),
        datetime(2025, 4, 30, 11, 0, 0, 500_000, UTC),
    ]


def test_a_run_that_went_on_adds_what_is_new(ran: Ran) -> None:
    events = [asked(1, "r1", "a"), observed(2, "a")]
    first, before = ran(events, "acme__grows")
    version = first.version
    second, done = ran([*events, asked(3, "r2", "b"), observed(4, "b")], "acme__grows")
    assert second.id == first.id
    assert (before.exchanges, done.exchanges, done.already_there) == (1, 1, 0)
    assert [item.type for item in second.state.live()] == ["tool_exchange", "tool_exchange"]
    (line,) = second.views.imported_lines()
    assert set(line.events) == {"event 1", "event 2", "event 3", "event 4"}
    assert all(at is not None and at <= second.version for at in line.events.values())
    assert line.events["event 1"] is not None
    assert line.events["event 1"] < version
    assert second.verify().problem is None


def test_a_run_that_was_tried_again_is_another_session(ran: Ran) -> None:
    first, _ = ran([asked(1, "r1", "a")], "acme__again")
    second, _ = ran([asked(2, "r1", "a")], "acme__again")
    assert first.id != second.id


def test_a_run_longer_than_a_batch(ran: Ran) -> None:
    events = []
    for number in range(300):
        events += [asked(2 * number + 1, f"r{number}", f"c{number}"), observed(2 * number + 2, f"c{number}")]
    for one in events:
        one["timestamp"] = "2025-04-30T16:00:00"
    session, done = ran(events)
    assert done.exchanges == 300
    assert len(list(session.events(types=["lines.imported"]))) > 1
    (line,) = session.views.imported_lines()
    assert len(line.events) == 600
    assert session.verify().problem is None
    assert ran(events, instance=None)[1].exchanges == 300


def test_shapes_that_nobody_expects_are_kept(ran: Ran) -> None:
    odd = [
        {},
        {"id": "x", "action": 3},
        event(1, action="run", tool_call_metadata={"model_response": {"choices": [None]}}),
        event(2, action="run", tool_call_metadata={"model_response": {"choices": []}}),
        event(3, observation="run", content=None, tool_call_metadata={"tool_call_id": "a"}),
        event(4, action="condensation", args=None),
        event(5, observation="recall", extras="x"),
        7,
    ]
    session, done = ran(odd, metrics=None, instance=None, metadata=None)
    assert (done.lines, done.kept_as_they_are) == (1, 1)
    assert session.state.live() == []
