"""Between calls that only added messages, the earlier bytes are the same, so that a provider's prompt cache hits."""

import itertools

from backstory.application.session import Session


def prompts(session: Session, turns: int, **wanted: object) -> list[bytes]:
    """The prompts of some turns, each without its changing end."""
    found = []
    for number in range(turns):
        session.message(f"question {number}: " + "word " * 30)
        context = session.context(8_000, summary=None, **wanted)  # type: ignore[arg-type]
        found.append(stable(context.messages))
        session.message(f"answer {number}: " + "word " * 60, role="agent")
    return found


def stable(messages: list[dict[str, object]]) -> bytes:
    """The bytes of the messages before the one that is made anew for every call."""
    assert str(messages[-1]["content"]).startswith("<context>")
    return b"\n".join(repr(message).encode() for message in messages[:-1])


def test_most_prompts_go_on_from_the_one_before(store):
    session = store.start()
    session.set_system_prompt("You are careful.")
    session.work.add_constraint("one hour")
    session.work.set_goal("a goal")
    made = prompts(session, 40)
    steady = sum(later.startswith(earlier) for earlier, later in itertools.pairwise(made))
    # Two messages a turn and steps of ten: at most every fourth prompt begins anew.
    assert steady >= 27


def test_with_room_for_all_every_prompt_goes_on(store):
    session = store.start()
    session.set_system_prompt("You are careful.")
    session.work.set_goal("a goal")
    made = prompts(session, 20)
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(made))
