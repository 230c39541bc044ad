"""What a query finds: in a session, in a project, on any branch, as of any version, page by page."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from backstory import ContextStore, InvalidInput, SearchHit, Session, UnknownSession, UnknownVersion

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def items(page: Any) -> list[int]:
    return [hit.item for hit in page.hits]


def texts(page: Any) -> list[str]:
    return [hit.snippet for hit in page.hits]


@pytest.fixture
def session(any_store: Any) -> Any:
    return any_store.start()


def test_other_forms_of_the_words_are_found_and_marked(session: Any) -> None:
    session.message("Nothing of interest.")
    item = session.message("We parsed the invoices with get_invoice_lines.")
    (hit,) = session.search("parsing an invoice").hits
    assert (hit.session, hit.item, hit.type, hit.speaker) == (session.id, item, "message", "user")
    assert [hit.snippet[first:last] for first, last in hit.marks] == [
        "parsed",
        "invoices",
        "get_invoice_lines",
    ]
    assert hit.score > 0
    assert not hit.abandoned


def test_what_left_every_window_is_found_too(session: Any) -> None:
    item = session.message("The harbour master keeps the keys.")
    session.items.remove(item)
    assert item not in session.state.items
    assert items(session.search("harbour keys")) == [item]


def test_all_that_an_exchange_said_is_one_hit(session: Any) -> None:
    item = session.tool_call("read", {"path": "src/harbour.py"}, call_id="c1")
    session.tool_result("c1", "def moor(): ...")
    for query in ("harbour", "moor"):
        assert items(session.search(query)) == [item]
    (hit,) = session.search("harbour moor").hits
    assert hit.type == "tool_exchange"
    assert hit.snippet == "[read] src/harbour.py → def moor(): ..."
    assert [hit.snippet[first:end] for first, end in hit.marks] == ["harbour", "moor"]


def test_a_goal_is_found_by_its_newest_text_and_by_the_older_one_as_of_then(session: Any) -> None:
    goal = session.work.set_goal("Paint the fence")
    then = session.version
    session.work.update_goal(goal, text="Paint the shed")
    assert items(session.search("fence")) == []
    assert items(session.search("shed")) == [goal]
    assert items(session.search("fence", at=then)) == [goal]
    assert items(session.search("shed", at=then)) == []


def test_a_branch_that_was_left_is_found_only_when_asked_for_and_marked(session: Any) -> None:
    kept = session.message("Use lanterns.")
    left = session.message("Use torches and lanterns.")
    session.backtrack(kept, "torches smoke")
    assert items(session.search("lanterns")) == [kept]
    found = {hit.item: hit.abandoned for hit in session.search("lanterns", abandoned=True).hits}
    assert found == {kept: False, left: True}
    assert items(session.search("torches")) == []
    assert items(session.search("torches", at=left)) == [left]


def test_hits_are_chosen_by_type_speaker_and_time(any_store: Any) -> None:
    session = any_store.start()
    said = session.occurred(DAY).message("Lanterns are bright.")
    ana = session.by("ana").occurred(DAY + timedelta(days=1)).message("Lanterns are cheap.")
    decided = session.by("ana").occurred(DAY + timedelta(days=2)).decide("Buy lanterns.")
    assert items(session.search("lanterns", types=["decision"])) == [decided]
    assert items(session.search("lanterns", types=["decision", "message"], speaker="ana", limit=5)) == sorted(
        [ana, decided], key=items(session.search("lanterns")).index
    )
    assert set(items(session.search("lanterns", speaker="user"))) == {said, ana}
    assert items(session.search("lanterns", since=DAY + timedelta(days=2))) == [decided]
    assert items(session.search("lanterns", before=DAY + timedelta(days=1))) == [said]


def test_a_program_s_note_is_nothing_that_the_user_said(session: Any) -> None:
    note = session.of_origin("internal_tool").message(
        "How to light lanterns: find lanterns and light lanterns."
    )
    said = session.message("Please light the lanterns.")
    page = session.search("light lanterns")
    assert items(page) == [said, note]
    assert [hit.speaker for hit in page.hits] == ["user", "tool"]
    assert items(session.search("lanterns", speaker="user")) == [said]


def test_a_name_is_found_by_what_it_said(session: Any) -> None:
    item = session.by("Melanie").message("I went swimming.")
    session.by("Caroline").message("I went running.")
    assert items(session.search("Melanie")) == [item]


def test_pages_follow_each_other_and_do_not_move(session: Any) -> None:
    for n in range(7):
        session.message("lantern " * (n % 3 + 1))
    whole = session.search("lantern", limit=100)
    assert whole.next is None
    page = session.search("lantern", limit=3)
    found = list(page.hits)
    while page.next:
        session.message("A lantern that came meanwhile.")
        page = session.search("lantern", limit=3, after=page.next)
        found += page.hits
    assert found == list(whole.hits)


def test_a_project_is_searched_with_its_decisions_and_nothing_else(any_store: Any, request: Any) -> None:
    project = f"p-{request.node.name}"
    first, second, other = (any_store.start(project=name) for name in (project, project, f"{project}-2"))
    said, decided = first.message("Lanterns are bright."), second.decide("Buy lanterns.")
    other.message("Lanterns, lanterns, lanterns.")
    found = any_store.search("lanterns", project=project).hits
    assert {(hit.session, hit.item) for hit in found} == {(first.id, said), (second.id, decided)}
    only = any_store.search("lanterns", sessions=[second.id])
    assert [(hit.session, hit.item) for hit in only.hits] == [(second.id, decided)]
    pages = [any_store.search("lanterns", project=project, limit=1)]
    pages.append(any_store.search("lanterns", project=project, limit=1, after=pages[0].next))
    assert [*pages[0].hits, *pages[1].hits] == list(found)
    assert pages[1].next is None


def test_what_a_fork_shares_is_found_once_and_its_own_beside_it(any_store: Any, request: Any) -> None:
    parent = any_store.start(project=f"p-{request.node.name}")
    shared = parent.message("Lanterns are bright.")
    left = parent.message("Lanterns are dull.")
    fork = parent.fork(left)
    parent.backtrack(shared, "no")
    own = fork.message("Lanterns are cheap.")
    found = any_store.search("lanterns", project=f"p-{request.node.name}").hits
    assert {(hit.session, hit.item) for hit in found} == {
        (parent.id, shared),
        (parent.id, left),
        (fork.id, own),
    }
    assert not any(hit.abandoned for hit in found)
    assert set(items(fork.search("lanterns"))) == {shared, left, own}
    assert {hit.session for hit in fork.search("lanterns").hits} == {fork.id}
    fork.details.set_project("elsewhere")
    found = any_store.search("lanterns", sessions=[fork.id]).hits
    assert {(hit.session, hit.item) for hit in found} == {(fork.id, item) for item in (shared, left, own)}


def test_a_result_that_only_the_fork_has_belongs_to_its_exchange_there(store: ContextStore) -> None:
    parent = store.start()
    call = parent.tool_call("read", {"path": "harbour.py"}, call_id="c1")
    fork = parent.fork()
    fork.tool_result("c1", "the lighthouse")
    assert items(parent.search("lighthouse")) == []
    assert items(fork.search("lighthouse")) == [call]
    found = store.search("lighthouse", sessions=[parent.id, fork.id]).hits
    assert [(hit.session, hit.item) for hit in found] == [(fork.id, call)]


def test_the_part_of_a_long_text_that_matches_best_is_shown(session: Any) -> None:
    session.message("harbour " + "word " * 500 + "the harbour\nmaster <b>keeps</b> keys " + "word " * 500)
    (hit,) = session.search("master of the harbour keys").hits
    assert "harbour master <b>keeps</b> keys" in hit.snippet
    assert len(hit.snippet) < 250
    assert hit.snippet.startswith("… ")
    assert hit.snippet.endswith(" …")
    assert [hit.snippet[a:b] for a, b in hit.marks] == ["harbour", "master", "keys"]


def test_words_that_stand_everywhere_find_nothing(session: Any) -> None:
    session.message("What was it that you did?")
    assert session.search("what did you do").hits == ()
    assert session.search("—").hits == ()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"query": " "}, "query"),
    ({"query": 3}, "query"),
    ({"query": "lantern " * 2_000}, "query"),
    ({"agent": ""}, "agent"),
    ({"speaker": "\n"}, "speaker"),
    ({"types": "message"}, "types"),
    ({"types": [""]}, "types"),
    ({"since": datetime(2026, 1, 1)}, "since"),  # noqa: DTZ001
    ({"before": "yesterday"}, "before"),
    ({"since": datetime(2026, 2, 1, tzinfo=UTC), "before": datetime(2026, 1, 1, tzinfo=UTC)}, "before"),
    ({"abandoned": "no"}, "abandoned"),
    ({"limit": 0}, "limit"),
    ({"limit": 1001}, "limit"),
    ({"after": "somewhere"}, "after"),
    ({"after": "nan:x:1:1"}, "after"),
    ({"after": 3}, "after"),
]


@pytest.mark.parametrize(("given", "field"), BAD)
def test_bad_input_is_named(session: Any, any_store: Any, given: dict[str, Any], field: str) -> None:
    wanted = {"query": "lanterns", **given}
    for search in (session.search, any_store.search):
        with pytest.raises(InvalidInput) as refused:
            search(**wanted)
        assert refused.value.field == field


def test_what_does_not_exist_cannot_be_searched(session: Session, any_store: Any) -> None:
    with pytest.raises(UnknownVersion):
        session.search("lanterns", at=99)
    with pytest.raises(InvalidInput):
        session.search("lanterns", at=0)
    with pytest.raises(UnknownSession):
        any_store.search("lanterns", sessions=[UUID(int=7)])
    assert any_store.search("lanterns", project="nobody's").hits == ()


def test_a_hit_is_a_value(session: Any) -> None:
    session.message("lanterns")
    assert isinstance(session.search("lanterns").hits[0], SearchHit)
