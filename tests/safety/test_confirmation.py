"""Only a person, or a second independent source, makes an item trusted: as an event."""

import pytest

from backstory import AsyncContextStore, ContextStore, InvalidInput, Project, Refused, Session
from backstory.domain.access import Action, Caller
from backstory.domain.events import ItemsConfirmed
from backstory.domain.memory.values import Source
from backstory.domain.trust import Trust

FACT = "The billing service deploys on Fridays at noon."


def trust_of(session: Session, item: int) -> int:
    (row,) = [row for row in session.items.list() if row.id == item]
    assert session.state.items.get(item, row).trust == row.trust
    return row.trust


def test_a_person_confirms(session: Session) -> None:
    item = session.of_origin("document").message(FACT)
    summary = session.window.compacted("short", summarized=[item], algorithm="by hand")
    assert trust_of(session, item) == Trust.UNTRUSTED
    version = session.by("ana").safety.confirm(item, why="I wrote that page")
    (event,) = session.events(after=version - 1)
    assert isinstance(event.body, ItemsConfirmed)
    assert (event.body.items, event.body.person) == ((item,), "ana")
    assert trust_of(session, item) == Trust.TRUSTED
    # What was made of it before stays as it was.
    assert trust_of(session, summary) == Trust.UNTRUSTED
    session.verify().require()


def test_no_agent_confirms(store: ContextStore, session: Session) -> None:
    item = session.of_origin("document").message(FACT)
    session.details.join("planner")
    before = session.version
    with pytest.raises(Refused, match="'planner' is an agent of this session: only a person confirms"):
        session.by("planner").safety.confirm(item)
    with pytest.raises(InvalidInput, match="person: must name who confirms"):
        session.safety.confirm(item)
    caller = Caller(name="k", action=Action.APPEND, agent="bot")
    limited = store.on_behalf_of(caller).session(session.id)
    with pytest.raises(Refused, match="acts for the agent 'bot'"):
        limited.safety.confirm(item, person="ana")
    assert session.version == before


def test_a_second_independent_source(store: ContextStore, session: Session) -> None:
    item = session.of_origin("document").message(FACT)
    other = store.start()
    said = other.message("We deploy the billing service on Fridays, at noon.")
    session.safety.confirm(item, witness=Source(session=other.id, items=(said,)))
    assert trust_of(session, item) == Trust.TRUSTED


@pytest.mark.parametrize(
    ("origin", "text", "own", "reason"),
    [
        ("document", FACT, False, "of another origin than document"),
        ("model", FACT, False, "a model's words are no second source"),
        ("user", "The billing service is written in Rust.", False, "does not say what item"),
        ("user", FACT, True, "must be of another session"),
    ],
)
def test_what_is_no_second_source(
    store: ContextStore, session: Session, origin: str, text: str, own: bool, reason: str
) -> None:
    item = session.of_origin("document").message(FACT)
    other = session if own else store.start()
    said = other.of_origin(origin).message(text)  # type: ignore[arg-type]
    before = session.version
    with pytest.raises(Refused, match=reason):
        session.safety.confirm(item, witness=Source(session=other.id, items=(said,)))
    assert session.version == before


def test_a_fork_is_no_other_session(session: Session) -> None:
    item = session.of_origin("document").message(FACT)
    fork = session.fork()
    said = fork.message(FACT)
    with pytest.raises(Refused, match="must be of another session"):
        fork.safety.confirm(item, witness=Source(session=fork.id, items=(said,)))
    with pytest.raises(Refused, match="must be of another"):
        session.safety.confirm(item, witness=Source(session=fork.id, items=(item,)))


def test_a_memory_needs_a_source_apart_from_its_own(
    store: ContextStore, project: Project, session: Session
) -> None:
    read = session.of_origin("document").message(FACT)
    memory = session.memory.remember(FACT, items=[read])
    assert project.memory(memory).trust == "untrusted"
    same = session.message(FACT)
    with pytest.raises(Refused, match="must be of another session"):
        project.safety.confirm(memory, witness=Source(session=session.id, items=(same,)))
    other = store.start(project=project.name)
    again = other.of_origin("document").message(FACT)
    with pytest.raises(Refused, match="must be of another origin than document"):
        project.safety.confirm(memory, witness=Source(session=other.id, items=(again,)))
    project.safety.confirm(memory, witness=Source(session=other.id, items=(other.message(FACT),)))
    assert project.memory(memory).trust == "trusted"
    project.verify().require()


def test_going_back_takes_the_confirmation_back(session: Session) -> None:
    item = session.of_origin("document").message(FACT)
    session.by("ana").safety.confirm(item)
    session.backtrack(item, "not so sure")
    assert trust_of(session, item) == Trust.UNTRUSTED


async def test_asynchronously(url: str, project: Project, session: Session) -> None:
    item = session.of_origin("document").message(FACT)
    memory = session.memory.remember(FACT, items=[item])
    async with await AsyncContextStore.open(url) as store:
        await store.project(project.name).by("ana").safety.confirm(memory)
    assert project.memory(memory).trust == "trusted"
