"""What a recorded session says is repeated in another one, and prompts are asked what they hold."""

import pytest

from backstory import ContextStore, Session
from backstory.application.evaluation.recall import FullHistory, LastResults, UnderPolicy, measure
from backstory.application.evaluation.recording import Replayer, recording_of
from tests.traces import watching


@pytest.fixture
def worked(store: ContextStore) -> Session:
    """A session in which names from old results are used again."""
    session = store.start(limit=32_000)
    session.set_system_prompt("You are careful.")
    session.message("Fix the signer.")
    coder = session.by("coder")
    for number in range(6):
        call = f"call_{number}"
        coder.tool_call("read", {"path": f"src/file_{number}.py"}, call_id=call, text="I read.")
        coder.tool_result(call, f"def make_part_{number}(): ...")
    session.decide("Keep `make_part_0` in src/file_0.py", rationale="it is imported everywhere")
    goal = session.work.set_goal("Ship it")
    session.work.complete_goal(goal)
    coder.message("I change make_part_1 and make_part_5 in src/file_0.py.", role="agent")
    return session


def test_a_repeated_session_says_the_same(store: ContextStore, worked: Session) -> None:
    again = store.start(limit=32_000)
    repeater = Replayer(again)
    for action in recording_of(worked).actions:
        repeater.repeat(action)
    assert again.messages() == worked.messages()
    assert again.state.decision_count == 1
    assert not again.state.goals
    assert [item.brought for item in again.state.live()] == [item.brought for item in worked.state.live()]


def test_what_was_done_to_the_window_is_not_repeated(store: ContextStore, worked: Session) -> None:
    said = len(recording_of(worked).actions)
    oldest = [item.id for item in worked.state.live() if item.type == "tool_exchange"][:2]
    worked.window.compacted("They read two files.", summarized=oldest, algorithm="by hand")
    worked.context(8_000)
    assert len(recording_of(worked).actions) == said


def test_the_full_history_holds_everything(worked: Session) -> None:
    recording = recording_of(worked)
    (measured,) = measure(recording, [FullHistory()])
    assert measured.calls == recording.calls == 7
    assert measured.share() == 1
    assert len(measured.uses) == 3
    assert (measured.decisions_needed, measured.decisions_held) == (1, 1)


def test_results_that_were_left_out_are_not_held(worked: Session) -> None:
    recording = recording_of(worked)
    three, none = measure(recording, [LastResults(3), LastResults(0)])
    held = {use.name.text: use.held for use in three.uses}
    assert held == {"make_part_1": False, "make_part_5": True, "src/file_0.py": True}
    assert none.tokens < three.tokens


def test_a_limit_takes_the_oldest_messages_out_but_not_the_first_ones(worked: Session) -> None:
    recording = recording_of(worked)
    (measured,) = measure(recording, [LastResults(3, limit=120)])
    assert measured.most_tokens <= 120
    strategy = LastResults(3, limit=120)
    for action in recording.actions:
        strategy.take(action)
    text = strategy.prompt(recording.actions[-1].at).text
    assert text is not None
    assert text.startswith("You are careful.\nFix the signer.")


def test_calls_may_be_sampled(worked: Session) -> None:
    (measured,) = measure(recording_of(worked), [FullHistory()], every=3)
    assert measured.calls == 2


def test_a_policy_is_tried_on_a_session_of_its_own(store: ContextStore, worked: Session, url: str) -> None:
    with watching(url) as traces:
        before = traces.of(worked.id)
        strategy = UnderPolicy(store, 32_000)
        (measured,) = measure(recording_of(worked), [strategy])
        assert traces.of(worked.id) == before
    assert strategy.session.id != worked.id
    assert measured.share() == 1
    assert 0 < measured.most_tokens <= 32_000
