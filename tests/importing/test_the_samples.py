"""All sample transcripts: kept byte for byte, paired, intact, replayed, and not taken in twice."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backstory import ContextStore, Imported
from backstory.application.queries.history import SessionHistory


@pytest.fixture(scope="module")
def fresh(module_database: str) -> Iterator[ContextStore]:
    with ContextStore.open(module_database) as store:
        yield store


@pytest.fixture(scope="module")
def imported(fresh: ContextStore, samples: list[Path]) -> dict[Path, tuple[Imported, ...]]:
    return {file: fresh.import_file(file) for file in samples}


def test_every_file_can_be_rebuilt_byte_for_byte(
    fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]
) -> None:
    for file, sessions in imported.items():
        lines = [
            line
            for done in sessions
            for line in fresh.session(done.session).views.imported_lines()
            if line.file == file.name
        ]
        lines.sort(key=lambda line: line.number)
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))
        assert b"".join(line.data or b"" for line in lines) == file.read_bytes()


def test_every_line_is_counted(imported: dict[Path, tuple[Imported, ...]]) -> None:
    for file, sessions in imported.items():
        assert sum(done.lines for done in sessions) == len(file.read_bytes().splitlines())
        assert all(done.already_there == 0 for done in sessions)


def test_every_session_is_intact_and_can_be_replayed(
    fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]
) -> None:
    for done in {each.session: each for sessions in imported.values() for each in sessions}.values():
        session = fresh.session(done.session)
        assert session.verify().problem is None
        steps = list(SessionHistory(session).steps())
        assert steps[-1].after.state.digest() == session.state.digest()
        assert steps[0].entry.event.type == "session.started"


def test_a_second_import_changes_nothing(
    fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]
) -> None:
    for file, sessions in imported.items():
        before = {done.session: fresh.session(done.session).version for done in sessions}
        again = fresh.import_file(file)
        assert [done.already_there for done in again] == [done.lines for done in sessions]
        assert {id: fresh.session(id).version for id in before} == before


def test_what_the_files_hold(imported: dict[Path, tuple[Imported, ...]]) -> None:
    found = {
        file.stem: [
            (done.lines, done.messages, done.exchanges, done.compactions, done.kept_as_they_are)
            for done in sessions
        ]
        for file, sessions in imported.items()
    }
    assert found == {
        "edge_cases": [(18, 7, 2, 0, 7), (1, 0, 1, 0, 0)],
        "representative_messages": [(12, 7, 2, 0, 0)],
        "session_b": [(3, 3, 0, 0, 0)],
        "todowrite_examples": [(12, 5, 2, 0, 0)],
        "openhands-runs": [(1, 2, 23, 0, 0), (1, 2, 33, 0, 0), (1, 2, 49, 0, 0)],
    }


def test_titles_projects_and_tags(fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]) -> None:
    listed = {done.id: done for done in fresh.sessions(limit=100)}
    summaries = {file.stem: [listed[done.session] for done in imported[file]] for file in imported}
    (todo,) = summaries["todowrite_examples"]
    assert (todo.title, todo.project, todo.tags) == (
        "Feature Implementation with Task Management",
        "/tmp",
        ("claude-code",),
    )
    assert [(run.project, run.tags) for run in summaries["openhands-runs"]] == [
        ("ponylang/ponyc", ("openhands",))
    ] * 3
    assert (summaries["openhands-runs"][0].title or "").startswith("ponylang__ponyc-4595: ponyc segfaults")


def test_original_times(fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]) -> None:
    by_name = {file.stem: sessions for file, sessions in imported.items()}
    first = next(fresh.session(by_name["session_b"][0].session).events(types=["message.added"]))
    assert first.occurred_at == datetime(2025, 6, 14, 12, tzinfo=UTC)
    # The run was recorded in a zone eight hours ahead; the provider's clock beside it says so.
    called = next(fresh.session(by_name["openhands-runs"][0].session).events(types=["tool.called"]))
    assert called.occurred_at == datetime(2025, 4, 30, 8, 32, 57, 821635, UTC)


def test_calls_and_results_are_paired(
    fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]
) -> None:
    open_calls = {
        file.stem: [list(fresh.session(done.session).state.open_calls) for done in sessions]
        for file, sessions in imported.items()
    }
    # A result with a misspelt key is no result, and the last action of a run is to finish, which nobody answers.
    assert open_calls == {
        "edge_cases": [["tool_edge_002"], []],
        "representative_messages": [[]],
        "session_b": [[]],
        "todowrite_examples": [[]],
        "openhands-runs": [["toolu_23"], ["toolu_33"], []],
    }


def test_calls_of_the_model_have_the_providers_numbers(
    fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]]
) -> None:
    by_name = {file.stem: sessions for file, sessions in imported.items()}
    run = fresh.session(by_name["openhands-runs"][0].session)
    calls = [event.body for event in run.events(types=["model.called"])]
    assert len(calls) == 23
    assert sum(call.input_tokens for call in calls) == 565_158  # type: ignore[union-attr, misc]
    assert sum(call.output_tokens for call in calls) == 2_558  # type: ignore[union-attr, misc]
    assert calls[0].latency_ms == pytest.approx(3056.95, abs=0.1)  # type: ignore[union-attr]
    assert calls[0].message is not None  # type: ignore[union-attr]
    assert isinstance(run.text(calls[0].message), str)  # type: ignore[union-attr]


@pytest.mark.parametrize("format", ["anthropic", "openai"])
def test_every_conversation_can_be_sent_on(
    fresh: ContextStore,
    imported: dict[Path, tuple[Imported, ...]],
    format: str,
) -> None:
    for sessions in imported.values():
        for done in sessions:
            messages = fresh.session(done.session).messages(format=format)  # type: ignore[arg-type]
            assert messages
            assert all(set(message) & {"role", "content"} for message in messages)
            assert not any({"id", "usage", "model"} & set(message) for message in messages)


@pytest.mark.parametrize("format", ["openai", "anthropic", "markdown", "parts"])
@pytest.mark.parametrize("budget", [20_000, 100_000])
def test_every_session_is_assembled_and_reproduced(
    fresh: ContextStore, imported: dict[Path, tuple[Imported, ...]], format: Any, budget: int
) -> None:
    for done in {each.session: each for sessions in imported.values() for each in sessions}.values():
        session = fresh.session(done.session)
        context = session.context(budget, format=format)
        assert 0 < context.tokens <= budget
        assert context.version is not None
        made = session.reproduce(context.version)
        assert made.ok, str(made)


def test_the_asynchronous_store_does_the_same(
    any_store: ContextStore, samples: list[Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    copied = tmp_path / "session.jsonl"
    copied.write_bytes(samples[1].read_bytes().replace(b"test_session", request.node.name.encode()))
    told: list[tuple[int, int]] = []

    class Told:
        def __call__(self, read: int, size: int) -> None:
            told.append((read, size))

    (done,) = any_store.import_file(copied, progress=Told())
    size = copied.stat().st_size
    assert told[-1] == (size, size)
    lines = list(any_store.session(done.session).views.imported_lines())
    assert b"".join(line.data or b"" for line in lines) == copied.read_bytes()
