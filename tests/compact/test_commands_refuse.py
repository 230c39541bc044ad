"""What stubs, undone compactions and alerts are refused for, and why."""

from backstory.domain import events as e
from backstory.domain.commands import compaction
from backstory.domain.errors import InvalidInput, ItemNotLive, Refused, UnknownItem
from backstory.domain.policies.window import DEFAULT_WINDOW
from backstory.testing import given
from tests.domain.scenarios import ANSWERED, CALLED, COMPACTED, HELLO

ENCODING = "o200k_base"


def test_only_tool_exchanges_have_results() -> None:
    given(HELLO).when(compaction.stub_results, encoding=ENCODING, tokens={1: 1}).then_refused(
        InvalidInput, "item 1 is no tool exchange"
    )


def test_an_open_call_is_not_a_stub() -> None:
    given(CALLED).when(compaction.stub_results, encoding=ENCODING, tokens={1: 1}).then_refused(
        Refused, "waits for a result"
    )


def test_what_left_is_no_stub_and_is_not_made_whole() -> None:
    gone = given(CALLED, ANSWERED, e.ItemsRemoved(items=(1,)))
    gone.when(compaction.stub_results, encoding=ENCODING, tokens={1: 1}).then_refused(ItemNotLive)
    gone.when(compaction.restore_results, encoding=ENCODING, tokens={1: 1}).then_refused(ItemNotLive)
    gone.when(compaction.restore_results, encoding=ENCODING, tokens={9: 1}).then_refused(UnknownItem)


def test_a_compaction_is_taken_back_once() -> None:
    undone = given(HELLO, COMPACTED, e.CompactionUndone(compaction=2, items="1"))
    undone.when(compaction.undo_compaction, compaction=2, window="main", summary=2, rows=[]).then_refused(
        Refused, "does not stand any more"
    )


def test_not_while_its_summary_is_summed_up_itself() -> None:
    summed_up = given(
        HELLO, COMPACTED, e.ItemsCompacted(summary=COMPACTED.summary, summarized="2", algorithm="x")
    )
    summed_up.when(compaction.undo_compaction, compaction=2, window="main", summary=2, rows=[]).then_refused(
        Refused, "what took it out comes first"
    )


def test_an_alert_is_said_once() -> None:
    calm = given(HELLO, e.WindowConfigured(limit=100))
    asked = {"window": "main", "policy": DEFAULT_WINDOW}
    calm.when(compaction.alert_window, **asked).then_refused(Refused)
    calm.when(compaction.alert_window, **asked, next_tokens=90).then_state(
        lambda state: compaction.newly_reached(state, "main", DEFAULT_WINDOW, 90) is None
    )
