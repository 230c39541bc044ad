"""The line behind an item says what the item says: erased, both are gone, and an import does not bring them back."""

from collections.abc import Callable
from pathlib import Path

from backstory import ContextStore, Imported, Session
from tests.importing.transcripts import Transcript, answer, asked, call, observed, run

TakenIn = Callable[..., tuple[Session, Imported]]


def erased(session: Session) -> list[int]:
    return [line.number for line in session.views.imported_lines() if line.data is None]


def test_the_line_of_a_message_goes_with_it(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("kept")
    transcript.user("secret " * 300)
    session, _ = taken_in(transcript)
    item = session.state.live()[1].id
    session.erase(item, "by law")
    assert erased(session) == [2]
    assert session.verify().problem is None
    again, done = taken_in(transcript)
    assert done.already_there == 2
    assert erased(again) == [2]


def test_all_lines_of_an_exchange_go_with_it(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.user("kept")
    transcript.assistant("I look.", id="m")
    transcript.assistant(call("a"), id="m")
    transcript.result("a", text="secret")
    session, _ = taken_in(transcript)
    session.erase(session.state.live()[1].id, "by law")
    assert erased(session) == [2, 3, 4]
    assert session.verify().problem is None


def test_a_line_with_results_of_two_exchanges_goes_with_either(taken_in: TakenIn) -> None:
    transcript = Transcript()
    transcript.assistant(call("a"))
    transcript.assistant(call("b"))
    transcript.user([answer("a", "one"), answer("b", "two")])
    session, _ = taken_in(transcript)
    session.erase(session.state.live()[1].id, "by law")
    assert erased(session) == [2, 3]


def test_a_run_goes_with_any_of_its_messages(store: ContextStore, tmp_path: Path) -> None:
    file = tmp_path / "output.jsonl"
    file.write_bytes(run("acme__erased", [asked(1, "r1", "a"), observed(2, "a", "secret")]))
    (done,) = store.import_file(file)
    session = store.session(done.session)
    session.erase(session.state.live()[0].id, "by law")
    assert erased(session) == [1]
    assert session.verify().problem is None
    assert store.import_file(file)[0].already_there == 1
