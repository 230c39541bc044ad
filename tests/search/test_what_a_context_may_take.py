"""What a query finds for a context: ranked, with texts and tokens, also what stands beside a match and what is new."""

from backstory import ContextStore, Session
from backstory.application.search.search import Found, find_items
from backstory.domain.search.passages import whole_text
from tests.search.indexing import index


def find(session: Session, query: str, version: int | None = None, agent: str | None = None) -> Found:
    return find_items(
        session._runtime, session.id, version or session.version, query, agent=agent, budget=1_000
    )


def items(found: Found) -> list[int]:
    return [found.place(hit).item for hit in found.hits]


def test_matches_come_first_then_what_is_new(store: ContextStore) -> None:
    session = store.start()
    question = session.by("ana").message("Where is the lantern?")
    answer = session.by("bob").message("In the shed.")
    others = [session.message(f"Note {n}.") for n in range(8)]
    removed = session.items.save("note", "The lantern is old.")
    session.items.remove(removed)
    for _ in range(2):
        found = find(session, "old lantern")
        assert items(found)[0] == removed
        assert answer in items(found)
        assert sorted(items(found)) == sorted([question, answer, *others, removed])
        texts = found.passages(hit.position for hit in found.hits)
        by_item = {found.documents[place].id: whole_text(passages) for place, passages in texts.items()}
        assert by_item[answer] == "In the shed."
        assert all(found.documents[place].tokens > 0 for place, _ in found.hits)
        index(session)


def test_it_is_as_of_a_version_and_for_an_agent(store: ContextStore) -> None:
    session = store.start()
    first = session.message("A lantern.")
    own = session.by("ana").items.save("note", "The lantern of ana.")
    session.backtrack(first, "no")
    later = session.message("Another lantern.")
    assert items(find(session, "lantern", first)) == [first]
    assert set(items(find(session, "lantern", own, agent="ana"))) == {first, own}
    assert items(find(session, "lantern", own)) == [first]
    assert set(items(find(session, "lantern", agent="ana"))) == {first, later}
