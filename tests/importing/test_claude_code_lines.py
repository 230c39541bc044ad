"""What the lines of a Claude Code transcript become."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from backstory import Imported, Session
from backstory.domain.events import ItemsCompacted, ModelCalled
from tests.importing.transcripts import Transcript, answer, call

TakenIn = Callable[..., tuple[Session, Imported]]


def texts(session: Session, window: str = "main") -> list[str]:
    return [session.text(item.id) for item in session.state.live(window)]


def types(session: Session) -> list[str]:
    return [event.type for event in session.events()]


def test_lines_with_one_message_id_are_one_message(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("look")
    transcript.assistant("I look.", id="msg_1", usage={"input_tokens": 20, "output_tokens": 1})
    transcript.line("progress", data={})
    transcript.assistant(call("a"), id="msg_1", usage={"input_tokens": 20, "output_tokens": 9})
    session, done = taken_in(transcript)
    (_, exchange) = session.state.live()
    assert [part.kind for part in session.items.parts(exchange.id)] == ["text", "tool_use"]
    assert (done.messages, done.exchanges, done.kept_as_they_are) == (1, 1, 1)
    (called,) = session.events(types=["model.called"])
    assert isinstance(called.body, ModelCalled)
    assert (called.body.message, called.body.output_tokens) == (exchange.id, 9)


def test_lines_that_repeat_what_was_said_so_far_say_it_once(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant("One.", id="msg_1")
    transcript.assistant("One.", call("a"), id="msg_1")
    session, _ = taken_in(transcript)
    (exchange,) = session.state.live()
    assert [part.kind for part in session.items.parts(exchange.id)] == ["text", "tool_use"]


def test_parallel_calls_with_results_between_are_one_exchange(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("look twice")
    first = transcript.assistant(call("a"), id="msg_1")
    transcript.result("a", text="result a")
    transcript.assistant(call("b"), id="msg_1", parent=first)
    transcript.result("b", text="result b")
    session, done = taken_in(transcript)
    assert done.exchanges == 1
    assert session.state.open_calls == {}
    said = session.messages(format="anthropic")
    assert [block["id"] for block in said[1]["content"]] == ["a", "b"]  # type: ignore[index]
    assert session.text(session.state.live()[1].id) == "result a\nresult b"


def test_one_line_with_results_of_one_message(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"), call("b"))
    transcript.result("a", "b")
    session, _ = taken_in(transcript)
    assert session.state.open_calls == {}
    assert types(session).count("tool.answered") == 1


def test_one_line_with_results_of_two_messages_answers_both(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"))
    transcript.assistant(call("b"))
    line = transcript.user([answer("a"), answer("b"), answer("gone"), {"type": "text", "text": "and this"}])
    session, done = taken_in(transcript)
    assert session.state.open_calls == {}
    assert done.kept_as_they_are == 0
    answered = [event.version for event in session.events(types=["tool.answered"])]
    (kept,) = [kept for kept in session.views.imported_lines() if line in kept.events]
    assert sorted(version for version in kept.events.values() if version) == answered


def test_a_result_without_a_call_is_kept_as_it_is(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("hello")
    orphan = transcript.result("gone")
    session, done = taken_in(transcript)
    assert (done.messages, done.kept_as_they_are) == (1, 1)
    assert {orphan: None} in [line.events for line in session.views.imported_lines()]


def test_a_call_without_a_result_stays_open(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"))
    transcript.user("never mind")
    session, done = taken_in(transcript)
    assert list(session.state.open_calls) == ["a"]
    assert done.messages == 1


def test_a_call_id_that_is_still_open_is_not_opened_again(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"))
    transcript.assistant(call("a"))
    _session, done = taken_in(transcript)
    assert (done.exchanges, done.kept_as_they_are) == (1, 1)


def test_an_id_becomes_a_message_once(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.line("user", message="broken", uuid="u1")
    transcript.user("first", uuid="u1")
    transcript.user("second", uuid="u1")
    session, done = taken_in(transcript)
    assert texts(session) == ["first"]
    assert (done.messages, done.lines) == (1, 3)
    assert b"".join(line.data or b"" for line in session.views.imported_lines()) == transcript.data


def test_a_compaction_takes_what_was_said_out_and_brings_its_summary(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.assistant("two", call("a"))
    transcript.result("a")
    transcript.compact("It was about one and two.")
    transcript.user("three")
    session, done = taken_in(transcript)
    assert texts(session) == ["It was about one and two.", "three"]
    assert (done.compactions, done.kept_as_they_are) == (1, 1)
    (event,) = session.events(types=["items.compacted"])
    body = event.body
    assert isinstance(body, ItemsCompacted)
    assert (body.algorithm, body.trigger, body.tokens_before) == ("claude-code", "auto", 155_000)
    assert session.state.live()[0].type == "summary"
    assert session.verify().problem is None


def test_a_second_compaction_takes_the_first_summary_too(taken_in: TakenIn) -> None:
    transcript = Transcript()
    for word in ("one", "two"):
        transcript.user(word)
        transcript.compact(f"up to {word}")
    session, done = taken_in(transcript)
    assert texts(session) == ["up to two"]
    assert done.compactions == 2


def test_a_summary_with_nothing_before_it_is_a_message(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user([{"type": "text", "text": "It was long."}], isCompactSummary=True)
    session, done = taken_in(transcript)
    assert texts(session) == ["It was long."]
    assert (done.messages, done.compactions) == (1, 0)


def test_a_result_that_comes_after_the_compaction_is_kept(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"))
    transcript.compact("Something was called.")
    transcript.result("a")
    session, done = taken_in(transcript)
    assert texts(session) == ["Something was called."]
    assert done.kept_as_they_are == 2


def test_side_chains_have_windows_of_their_own(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("delegate")
    begun = transcript.user("look around", isSidechain=True, parent=None, uuid="side-begins-here")
    transcript.assistant("I am around.", isSidechain=True, parent=begun)
    transcript.user("other", isSidechain=True, agentId="ab12", parent=None)
    transcript.assistant("done")
    session, _ = taken_in(transcript)
    assert texts(session) == ["delegate", "done"]
    assert set(session.state.windows) == {"main", "sidechain side-begins-", "sidechain ab12"}
    assert texts(session, "sidechain side-begins-") == ["look around", "I am around."]
    actors = [event.actor for event in session.events(types=["message.added"])]
    assert actors == [None, "claude", "sidechain side-begins-", "claude", "claude"]


def test_a_rewind_takes_what_it_left_out_of_the_window(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("one")
    kept = transcript.assistant("two")
    transcript.user("wrong way")
    transcript.assistant("wrong answer")
    transcript.user("right way", parent=kept)
    transcript.assistant("right answer")
    session, done = taken_in(transcript)
    assert texts(session) == ["one", "two", "right way", "right answer"]
    assert done.messages == 6


def test_parallel_results_are_no_rewind(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("look twice")
    first = transcript.assistant(call("a"), id="msg_1")
    second = transcript.assistant(call("b"), id="msg_1")
    transcript.result("a", parent=first)
    last = transcript.result("b", parent=second)
    transcript.line("system", subtype="hook", parent=last)
    transcript.user("go on", parent=last)
    session, _ = taken_in(transcript)
    assert "items.removed" not in types(session)
    assert len(session.state.live()) == 3


def test_lines_that_hang_on_nothing_are_no_rewind(taken_in: TakenIn) -> None:
    transcript = Transcript()
    for word in ("one", "two", "three"):
        transcript.user(word, parent=None)
    transcript.user("four", parent="not in this file")
    session, _ = taken_in(transcript)
    assert len(session.state.live()) == 4


def test_a_summary_of_this_conversation_is_the_title(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.raw(b'{"type":"summary","summary":"Another one","leafUuid":"elsewhere"}\n')
    leaf = transcript.user("hello")
    transcript.raw(f'{{"type":"summary","summary":"Greetings","leafUuid":"{leaf}"}}\n'.encode())
    session, done = taken_in(transcript)
    assert done.title == "Greetings"
    assert session.items.text_at(session.state.title) == "Greetings"  # type: ignore[arg-type]
    assert (done.lines, done.kept_as_they_are) == (3, 1)


def test_an_api_error_is_in_no_window(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("hello")
    transcript.assistant("API Error: overloaded", isApiErrorMessage=True, model="<synthetic>")
    session, done = taken_in(transcript)
    assert texts(session) == ["hello"]
    assert done.messages == 2
    assert "model.called" not in types(session)


def test_what_only_the_screen_showed_is_kept(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("hello")
    transcript.user("shown", isVisibleInTranscriptOnly=True)
    _, done = taken_in(transcript)
    assert (done.messages, done.kept_as_they_are) == (1, 1)


def test_lines_of_every_other_type_are_kept_and_cost_nothing(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("hello")
    before = taken_in(transcript)[0].state.tokens
    for kind in (
        "progress",
        "file-history-snapshot",
        "queue-operation",
        "pr-link",
        "attachment",
        "tag",
        "new",
    ):
        transcript.line(kind, data="x" * 500)
    transcript.line("system", subtype="microcompact_boundary")
    session, done = taken_in(transcript)
    assert done.kept_as_they_are == 8
    assert session.state.tokens == before
    assert [line.kind for line in session.views.imported_lines()][1:4] == [
        "progress",
        "file-history-snapshot",
        "queue-operation",
    ]


def test_times_and_what_is_known_of_the_session(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.line("user", message={"role": "user", "content": "x"}, timestamp="2025-01-02T03:04:05.678Z")
    transcript.line("user", message={"role": "user", "content": "y"}, timestamp="nonsense")
    transcript.assistant("z")
    session, _ = taken_in(transcript)
    first, second, _ = session.events(types=["message.added"])
    assert first.occurred_at == second.occurred_at == datetime(2025, 1, 2, 3, 4, 5, 678_000, UTC)
    assert next(session.events()).occurred_at == first.occurred_at
    state = session.state
    assert state.project is not None
    assert state.project.name == "/home/ana/orders"
    assert state.agents["claude"].version == "2.0.1"
    assert state.windows["main"].model == "claude-sonnet-4"
    assert state.tags == ("claude-code",)


def test_numbers_that_cannot_be_do_not_lose_the_message(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant("hello", usage={"input_tokens": -3})
    session, done = taken_in(transcript)
    assert done.messages == 1
    assert "model.called" not in types(session)


def test_nothing_but_role_and_content_goes_to_a_provider(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant("hello")
    session, _ = taken_in(transcript)
    said: list[Any] = session.messages(format="anthropic")
    assert said == [{"role": "assistant", "content": [{"type": "text", "text": "hello"}]}]


def test_what_another_tool_dropped_is_ranked(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("The retry limit stands in config/limits.toml.")
    transcript.assistant("Fine.", call("a", command="make"))
    transcript.result("a", text="nothing to do")
    transcript.compact("They looked around.")
    transcript.assistant("Let me see.", call("b", "Read", file_path="config/limits.toml"))
    transcript.result("b", text="retries = 3")
    session, _ = taken_in(transcript)
    dropped = session.window.dropped()
    assert (dropped.algorithm, dropped.trigger, dropped.left) == ("claude-code", "auto", 2)
    said, made = dropped.items
    assert (said.speaker, said.kinds) == ("user", ("user_words",))
    assert said.used[0] == "config/limits.toml"
    assert made.kinds == ("command",)
    assert made.used == ()


@pytest.mark.parametrize(
    ("cwd", "project"),
    [
        ("/home/ana/orders", "/home/ana/orders"),
        ("/home/ana/orders/", "/home/ana/orders"),
        ("C:\\Users\\ana\\orders", "C:/Users/ana/orders"),
        ("/home/ana/orders/.worktrees/fix-7", "/home/ana/orders"),
        ("/home/ana/orders/.worktrees/ana/fix-7", "/home/ana/orders"),
        ("/home/ana/orders/.claude/worktrees/fix-7", "/home/ana/orders"),
        # A folder for the worktrees of all projects tells nothing of the project.
        ("/home/ana/worktrees/fix-7", "/home/ana/worktrees/fix-7"),
        ("/home/ana/.worktrees/fix-7", "/home/ana/.worktrees/fix-7"),
        ("/home/ana/.cursor/worktrees/orders", "/home/ana/.cursor/worktrees/orders"),
        ("/home/ana/orders/.worktrees", "/home/ana/orders/.worktrees"),
    ],
)
def test_the_project_is_the_folder_and_a_worktree_belongs_to_its_project(
    taken_in: Any, cwd: str, project: str
) -> None:
    transcript = Transcript()
    transcript.user("Hello.", cwd=cwd)
    session, _ = taken_in(transcript)
    assert session.state.labels["project"] == project
