"""The same through AsyncSession."""

from backstory import Alert, AsyncContextStore


async def test_windows_are_looked_after(url: str) -> None:
    heard: list[Alert] = []
    async with await AsyncContextStore.open(url, on_alert=heard.append) as store:
        session = await store.start(limit=2_000)
        for number in range(40):
            await session.message(
                f"{number}: the parser in src/parser.py fails on empty input again and again"
            )
        told = await session.window.compact("session_summary", dry_run=True)
        assert told.events == ()
        own: list[Alert] = []
        session.window.on_alert(own.append)
        checked = await session.before_call(next_tokens=1_050)
        assert checked.actions == ("checkpoint", "alert", "middle")
        assert [alert.level for alert in heard] == [alert.level for alert in own] == ["warning"]
        summary = checked.events[-1].version
        assert len(await session.window.expand(summary)) == 30
        await session.window.undo_compaction()
        assert len((await session.state).live()) == 40
        marks = [point.mark for point in await session.window.usage() if point.mark]
        assert marks == ["checkpoint", "alert", "compaction", "undo"]
