"""An erasure reaches the memories that were made from an item, in whichever project they are."""

from typing import Any
from uuid import uuid4

import pytest

from backstory import AsyncContextStore, ContentErased, ContextStore, Project, Refused, Session, Source
from backstory.application.contents import erasure
from tests.search.indexing import index

SECRET = "Ana lives in Lisbon, at 4 Rua do Sol."
OURS = "Ana's address is 4 Rua do Sol in Lisbon."


@pytest.fixture
def project(store: ContextStore) -> Project:
    return store.project(f"atlas-{uuid4()}")


@pytest.fixture
def session(store: ContextStore, project: Project) -> Session:
    return store.start(project=project.name)


def words_of(store: ContextStore, project: Project) -> str:
    """All that anybody can read of a project's memory."""
    page = project.memories(past=True)
    found = project.recall("Lisbon Rua address", past=True).found
    return str(
        [(memory.title, memory.text, memory.details, memory.entities) for memory in page.memories]
    ) + str(found)


def test_a_memory_goes_with_its_source(store: ContextStore, project: Project, session: Session) -> None:
    said = session.message(SECRET)
    memory = session.memory.remember(
        OURS, items=[said], title="Ana in Lisbon", entities=["Ana"], details={"street": "Rua do Sol"}
    )
    other = session.memory.remember("We deploy on Fridays.", items=[session.message("Fridays it is.")])
    planned = session.erase(said, "asked to", dry_run=True)
    assert {(one.project, one.version) for one in planned.derived} == {(project.name, memory)}
    assert project.memory(memory).text == OURS
    done = session.erase(said, "asked to")
    assert (done.contents, done.derived) == (planned.contents, planned.derived)
    assert set(done.events) == {session.id, project.id}
    assert "Lisbon" not in words_of(store, project)
    assert "Rua" not in words_of(store, project)
    assert project.memory(other).text == "We deploy on Fridays."
    assert session.verify().ok
    assert project.verify().ok


def test_it_leaves_the_index_and_contexts(store: ContextStore, project: Project, session: Session) -> None:
    said = session.message(SECRET)
    session.memory.remember(OURS, items=[said])
    index(project)
    assert project.recall("Lisbon").found
    session.erase(said, "asked to")
    assert not project.recall("Lisbon").found
    index(project)
    assert not project.recall("Lisbon").found
    asking = store.start(project=project.name)
    asking.message("Where does Ana live?")
    context = asking.context(8_000)
    assert b"Lisbon" not in context.data
    assert not context.items("memory")


def test_what_was_made_of_memories_goes_too(store: ContextStore, project: Project, session: Session) -> None:
    said = session.message(SECRET)
    first = session.memory.remember(OURS, items=[said])
    second = project.remember("Ana is in Portugal.", sources=[Source(session=project.id, items=(first,))])
    elsewhere = store.project(f"other-{uuid4()}")
    third = elsewhere.remember("Portugal: Ana.", sources=[Source(session=project.id, items=(second,))])
    done = session.erase(said, "asked to")
    assert {(one.stream, one.version) for one in done.derived} == {
        (project.id, first),
        (project.id, second),
        (elsewhere.id, third),
    }
    assert elsewhere.memory(third).text is None


def test_what_was_made_of_summaries_goes_too(project: Project, session: Session) -> None:
    said = session.message(SECRET)
    for number in range(4):
        session.message(f"We decided to keep module {number} because src/part_{number}.py depends on it.")
    session.summarize()
    (summary,) = session.events(types=["summary.made"])
    memory = session.memory.remember("The session spoke of Ana's home.", items=[summary.version])
    session.erase(said, "asked to")
    assert project.memory(memory).text is None


def test_a_fork_is_a_source_of_what_it_inherited(project: Project, session: Session) -> None:
    said = session.message(SECRET)
    fork = session.fork()
    own = fork.message("It rains.")
    inherited = project.remember(OURS, sources=[Source(session=fork.id, items=(said,))])
    unrelated = project.remember("It rains.", sources=[Source(session=fork.id, items=(own,))])
    session.erase(said, "asked to")
    assert project.memory(inherited).text is None
    assert project.memory(unrelated).text == "It rains."


def test_the_result_of_a_tool_is_a_source_like_its_call(project: Project, session: Session) -> None:
    session.tool_call("lookup", {"who": "Ana"}, call_id="c1")
    result = session.tool_result("c1", SECRET)
    (exchange,) = [item.id for item in session.items.list() if item.type == "tool_exchange"]
    memory = session.memory.remember(OURS, items=[exchange])
    session.erase(result, "asked to")
    assert project.memory(memory).text is None


def test_an_item_that_shares_its_bytes_is_a_source_too(project: Project, session: Session) -> None:
    long = SECRET + " It is a long story." * 100
    first, twin = session.message(long), session.message(long)
    memory = session.memory.remember(OURS, items=[twin])
    session.erase(first, "asked to")
    assert project.memory(memory).text is None


def test_unless_it_is_to_be_kept(project: Project, session: Session) -> None:
    said = session.message(SECRET)
    memory = session.memory.remember(OURS, items=[said])
    done = session.erase(said, "asked to", keep_derived=True)
    assert done.derived == ()
    assert project.memory(memory).text == OURS
    # What was kept can go later.
    assert {one.version for one in session.erase(said, "asked to").derived} == {memory}
    assert project.memory(memory).text is None


def test_a_memory_that_was_erased_takes_those_made_from_it(project: Project, session: Session) -> None:
    first = project.remember(OURS)
    second = project.remember("Ana: Lisbon.", sources=[Source(session=project.id, items=(first,))])
    third = project.remember("Ana is in Portugal.", sources=[Source(session=project.id, items=(second,))])
    assert {one.version for one in project.erase(first, "asked to", keep_derived=True).contents} == {first}
    assert {one.version for one in project.erase(second, "asked to").contents} == {second, third}


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_an_erasure_that_was_cut_off_is_completed_by_the_next(
    store: ContextStore, project: Project, session: Session, monkeypatch: pytest.MonkeyPatch, broken: int
) -> None:
    """Each stream is one transaction: cut off after none, one or two of them."""
    said = session.message(SECRET)
    other = store.project(f"other-{uuid4()}")
    memory = session.memory.remember(OURS, items=[said])
    further = other.remember("Ana: Lisbon.", sources=[Source(session=project.id, items=(memory,))])
    whole, calls = erasure._erase_in, 0

    def cut(*given: Any, **named: Any) -> Any:
        nonlocal calls
        if calls == broken:
            raise KeyboardInterrupt
        calls += 1
        return whole(*given, **named)

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "_erase_in", cut)
        with pytest.raises(KeyboardInterrupt):
            session.erase(said, "asked to")
    session.erase(said, "asked to")
    assert project.memory(memory).text is other.memory(further).text is None
    with pytest.raises(ContentErased):
        session.text(said)
    with pytest.raises(Refused, match="has no contents left to erase"):
        session.erase(said, "asked to")
    assert store.session(session.id).verify().ok
    assert project.verify().ok
    assert other.verify().ok


def test_no_memory_is_made_of_what_was_erased(project: Project, session: Session) -> None:
    said = session.message(SECRET)
    session.erase(said, "asked to")
    with pytest.raises(ContentErased, match="sources: something of session .* was erased"):
        session.memory.remember(OURS, items=[said])
    assert project.version == 0


def test_a_memory_that_an_erasure_overtook_is_erased(
    project: Project, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasure comes between the look at the sources and the append."""
    from backstory.application.memory import project as module

    said = session.message(SECRET)
    started = module.start_if_new

    def overtaken(*given: Any) -> None:
        started(*given)
        session.erase(said, "asked to")

    monkeypatch.setattr(module, "start_if_new", overtaken)
    memory = session.memory.remember(OURS, items=[said])
    assert project.memory(memory).text is None


async def test_async(url: str) -> None:
    async with await AsyncContextStore.open(url) as store:
        name = f"atlas-{uuid4()}"
        session = await store.start(project=name)
        said = await session.message(SECRET)
        memory = await session.memory.remember(OURS, items=[said])
        done = await session.erase(said, "asked to")
        assert [(one.project, one.version) for one in done.derived] == [(name, memory)]
