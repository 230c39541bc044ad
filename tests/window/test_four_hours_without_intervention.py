"""CodeFRAME's acceptance test: an agent works for four hours on end, by a simulated clock. It only works and asks for
the next context; nobody compacts, prunes or restores anything for it."""

from datetime import UTC, datetime, timedelta

from backstory import ContextStore
from backstory.domain.events import ItemsCompacted

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)
TURN = timedelta(minutes=6)
TURNS = 41
LIMIT = 8_000
NEXT = 300
"""Tokens that the answer to each call may have."""


def test_an_agent_works_for_four_hours(store: ContextStore) -> None:
    session = store.start(title="Write the parser", limit=LIMIT)
    session.occurred(NOON).set_system_prompt("You are a careful engineer.")
    actions: list[str] = []
    decisions, code = [], []
    for turn in range(TURNS):
        work = session.occurred(NOON + turn * TURN).by("coder")
        if turn % 5 == 0:
            if turn:
                work.work.complete_task(f"T-{turn - 5}")
            work.work.start_task(f"T-{turn}", f"Write part {turn} of the parser")
            instruction = work.by("ana").message(
                f"Go on with part {turn}. Keep the tests green.", role="user"
            )
            decisions.append(work.decide(f"Part {turn} reads its input in blocks"))
        path = f"src/part_{turn}.py"
        source = f"def parse_{turn}(block):\n" + f"    step_{turn}(block.read(), limit={turn})\n" * 55
        work.progress.focus([path], last_edited=path)
        work.tool_call("write_file", {"path": path}, call_id=f"call-{turn}")
        work.tool_result(f"call-{turn}", f"wrote {len(source)} bytes to {path}\n" * 3)
        code.append(work.items.save("code", source, path=path, private=False))
        work.items.save("test_result", f"{turn + 1} passed in test_part_{turn}.py\n" * 8, private=False)
        work.message(
            f"Part {turn} is written: parse_{turn}() reads blocks, and its tests pass.", role="agent"
        )

        check = work.before_call(next_tokens=NEXT)
        assert check.tokens + NEXT < 0.95 * LIMIT
        actions += check.actions
        state = session.state
        live = set(state.items)
        assert {instruction, code[-1], *decisions[-3:]} <= live
        assert state.current_task is not None
        assert state.tasks[state.current_task].item in live

        if turn % 10 == 0:
            prompt = str(work.context(format="openai").messages)
            assert f"Go on with part {turn}" in prompt
            assert f"Part {turn} reads its input in blocks" in prompt

    assert actions.count("flash_save") >= 3, actions
    assert not any(action.startswith("recover") for action in actions)
    saves = [
        event
        for event in session.events(types=("items.compacted",))
        if isinstance(event.body, ItemsCompacted) and event.body.algorithm == "flash_save"
    ]
    assert saves[-1].occurred_at - NOON <= timedelta(hours=4) == (TURNS - 1) * TURN
    # Nothing is lost: every decision is known, the first file can be read, and what was stored is counted.
    assert set(decisions) <= {note.id for note in session.state.decisions}
    assert "parse_0" in session.text(code[0])
    assert session.by("coder").tiers.stats().stored_items > TURNS
    assert session.state.tokens < 0.7 * sum(item.tokens for item in session.items.list())
    session.verify().require()
