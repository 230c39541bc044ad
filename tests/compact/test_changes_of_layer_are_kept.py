"""A summary tells of every change of layer, however short it must be."""

from backstory import ContextStore, WindowPolicy
from backstory.application.session import Session
from tests.compact.conversations import talk

TIGHT = WindowPolicy(name="tight", summary_tokens=60)


def _layers(text: str | None) -> str:
    assert text is not None
    return text.partition("## Layers\n- ")[2].partition("\n")[0]


def _told(session: Session, policy: WindowPolicy | None = None) -> str:
    return _layers(session.window.compact("preserve_summarize_discard", threshold=0, policy=policy).text)


def test_in_a_summary_with_no_room(store: ContextStore) -> None:
    session = store.start()
    talk(session, 12)
    session.progress.set_layer(1)
    talk(session, 12, start=12)
    session.progress.set_layer(2)
    talk(session, 12, start=24)
    done = session.window.compact("preserve_summarize_discard", threshold=0, policy=TIGHT)
    assert _layers(done.text) == "1 → 2"
    assert done.compressed_tokens <= 60


def test_in_the_summaries_that_build_on_it(store: ContextStore) -> None:
    session = store.start()
    for layer in range(4):
        session.progress.set_layer(layer)
        talk(session, 12, start=12 * layer)
        if layer:
            assert _told(session) == " → ".join(map(str, range(layer + 1)))
    assert "0 → 1 → 2 → 3" in str(session.context(5_000, query="which layers were there").messages)


def test_one_between_two_ranges_is_in_the_first(store: ContextStore) -> None:
    session = store.start()
    first = talk(session, 24)
    session.progress.set_layer(1)
    later = talk(session, 24, start=24)
    session.progress.set_layer(2)
    talk(session, 10, start=48)
    of_first = session.window.compact("session_summary", first=first[0], last=first[-1])
    assert _layers(of_first.text) == "1"
    of_later = session.window.compact("session_summary", first=later[0], last=later[-1])
    assert _layers(of_later.text).endswith("2")


def test_of_too_many_the_newest_and_the_number_of_the_others(store: ContextStore) -> None:
    session = store.start()
    for change in range(40):
        session.progress.set_layer(change % 6)
        session.message("The parser in src/parser.py fails on empty input. " * 2)
    talk(session, 10)
    told = _told(session, TIGHT)
    number, _, newest = told.partition(" earlier changes, then ")
    assert int(number) + len(newest.split(" → ")) == 40
    assert newest.endswith("2 → 3")
