"""Without a query, the newest instruction, the current task and the files in focus choose among what was said before
the newest steps, in the window or not, and its context can be made again."""

from collections.abc import Callable

import pytest

from backstory import AssemblyPolicy, ContextStore
from backstory.application.context.result import Context
from backstory.application.session import Session
from backstory.domain.search.ranking import BY_WORDS
from tests.compact.conversations import a_session, live, talk
from tests.context.test_a_query_searches_the_log import body_of

SAID = "My sister Wilhelmina keeps bees behind the mill. " + "and so on " * 10
ASKED = "What did I tell you about Wilhelmina's bees?"


def shown(context: Context) -> set[int]:
    return {item for section in context.sections for item in context.items(section.name)}


def context_of(session: Session) -> Context:
    return session.context(3_000, summary=None)


def a_long_chat(store: ContextStore) -> tuple[Session, int]:
    """A chat of which a context shows little, and what was said at its beginning."""
    session = store.start()
    said = session.message(SAID)
    for number in range(150):
        session.message(f"The {number}th frame. " + "word " * 30, role=("agent", "user")[number % 2])
    session.message("Go on.")
    return session, said


def test_the_newest_instruction_brings_back_what_it_asks_about(store: ContextStore) -> None:
    session, said = a_long_chat(store)
    assert said not in shown(context_of(session))
    instruction = session.message(ASKED)
    context = context_of(session)
    assert said in context.items("earlier")
    body = body_of(session, context)
    assert (body.ranker, body.implied, body.query) == (BY_WORDS, str(instruction), None)
    session.message("They are well.", role="agent")
    again = session.reproduce(context.version or 0)
    assert again.ok


@pytest.mark.parametrize(
    "imply",
    [
        lambda session: session.work.start_task("T-1", "Write down what Wilhelmina keeps behind the mill"),
        lambda session: session.progress.focus(["notes/wilhelmina.md"]),
    ],
    ids=["task", "files in focus"],
)
def test_so_do_the_task_and_the_files_in_focus(
    store: ContextStore, imply: Callable[[Session], object]
) -> None:
    session, said = a_long_chat(store)
    imply(session)
    context = context_of(session)
    assert said in context.items("earlier")
    assert session.reproduce(context.version or 0).ok


def test_most_of_the_earlier_steps_are_the_newest(store: ContextStore) -> None:
    """However many match, they have no more than their share."""
    session = store.start()
    for number in range(60):
        session.message(f"Bee {number}. " + "bees " * 30, role=("agent", "user")[number % 2])
    for number in range(200):
        session.message(f"Frame {number}. " + "word " * 30, role=("agent", "user")[number % 2])
    session.message("Tell me of the bees.")
    context = session.context(6_000, summary=None)
    earlier = {*context.items("earlier"), *context.items("older")}
    of_bees = [item for item in earlier if item < 62]
    assert 1 <= len(of_bees) < 0.3 * len(earlier)


def test_what_left_the_window_to_make_room_is_shown(store: ContextStore) -> None:
    session = a_session(store)
    said = session.message(SAID)
    call = session.tool_call("inspect", {"mill": "Wilhelmina's bees"}, call_id="c1")
    session.tool_result("c1", "fine")
    talk(session, 30)
    session.window.compact("everything")
    talk(session, 30, start=30)
    assert not live(session) & {said, call}
    session.message(ASKED)
    context = context_of(session)
    assert {said, call} <= set(context.items("earlier"))
    assert session.reproduce(context.version or 0).ok
    fork = session.fork()
    assert said in context_of(fork).items("earlier")
    session.erase(said, "asked to")
    assert said in {one.item for one in session.reproduce(context.version or 0).missing}
    assert said not in shown(context_of(session))


def test_what_was_removed_by_hand_is_not(store: ContextStore) -> None:
    session = a_session(store)
    removed = session.message(SAID)
    talk(session, 30)
    session.items.remove(removed)
    session.window.compact("everything")
    talk(session, 30, start=30)
    session.message(ASKED)
    context = context_of(session)
    assert removed not in shown(context)
    assert set(context.items("earlier")) - live(session)


def test_what_is_private_to_others_is_not(store: ContextStore) -> None:
    session = a_session(store)
    private = session.by("ana").items.save("message", SAID, private=True)
    talk(session, 30)
    session.window.compact("everything")
    assert private not in live(session)
    talk(session, 30, start=30)
    session.message(ASKED)
    assert private in context_of(session.by("ana")).items("earlier")
    assert private not in shown(context_of(session.by("bob")))


def test_notes_about_the_subject_come_before_others(store: ContextStore) -> None:
    session = store.start()
    note = session.items.save("note", SAID, importance=0.3)
    for number in range(60):
        session.items.save("note", f"Frame {number}: " + "word " * 20, importance=0.9)
    session.message("Mend the frames.")
    assert note not in shown(session.context(2_000, summary=None))
    session.message(ASKED)
    context = session.context(2_000, summary=None)
    assert note in context.items("older")
    # That it was shown is no access, or nothing would ever cool.
    assert session.state.items[note].accesses == 0
    assert session.reproduce(context.version or 0).ok


def test_where_nothing_is_asked_nothing_is_ranked(store: ContextStore) -> None:
    session = store.start()
    for number in range(150):
        session.message(f"The {number}th frame. " + "word " * 30, role="agent")
    body = body_of(session, context_of(session))
    assert (body.ranker, body.implied) == (None, None)


def test_a_share_of_nothing_leaves_the_newest(store: ContextStore) -> None:
    session, said = a_long_chat(store)
    session.message(ASKED)
    policy = AssemblyPolicy(relevant_share=0)
    context = session.context(6_000, policy=policy, summary=None)
    assert said not in shown(context)
    assert context.items("earlier")
