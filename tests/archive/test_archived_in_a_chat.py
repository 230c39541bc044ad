"""`/context archive` makes memories of a session and ends it."""

from backstory import ContextStore, Project
from tests.archive.conftest import Talk


def test_it_becomes_a_fragment_with_the_title_and_ends(talk: Talk, project: Project) -> None:
    session = talk("The foghorn is too quiet.", "I set its volume to 9.")
    done = session.command('/context archive --title="The foghorn"')
    assert done.ok
    assert session.state.status == "ended"
    (fragment,) = project.memories(kinds=["fragment"]).memories
    assert (fragment.title, done.data["fragments"]) == ("The foghorn", [fragment.id])
    assert f"M{fragment.id}" in done.text


def test_repeated_under_its_key_it_is_done_once(talk: Talk, project: Project) -> None:
    session = talk("The foghorn is too quiet.")
    first = session.once("key-1").command("/context archive")
    assert session.once("key-1").command("/context archive").events == first.events
    assert len(project.memories(kinds=["fragment"]).memories) == 1


def test_without_a_project_it_only_ends(store: ContextStore) -> None:
    session = store.start(title="Alone")
    session.message("Nobody remembers this.")
    done = session.command("/context archive")
    assert (done.ok, session.state.status, "fragments" in done.data) == (True, "ended", False)
