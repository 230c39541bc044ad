"""A secret that is written is flagged or masked, by the project's policy, and is nowhere but in its own text."""

import re
from pathlib import Path

import pytest

from backstory import (
    AsyncContextStore,
    ContentBundle,
    ContextStore,
    Effects,
    EventBody,
    InvalidInput,
    NewItem,
    Project,
    Refused,
    SafetyPolicy,
    Session,
)
from backstory.domain.log.references import ContentRef
from tests.importing.transcripts import Transcript
from tests.safety.made_up import RANDOM, TOKEN
from tests.search.indexing import index

TEXT = f"The deploy key is {TOKEN}, keep it."
SAFE = "The deploy key is [redacted:github-token], keep it."
MASK = SafetyPolicy(secrets="mask")


class Reported(EventBody):
    """A report, with a text of its own."""

    type = "safety-test:reported"
    text: ContentRef


def test_it_is_stored_and_flagged(session: Session) -> None:
    item = session.message(TEXT)
    assert session.text(item) == TEXT
    (flagged,) = session.safety.flagged()
    assert (flagged.item, flagged.flags) == (item, ("secret:github-token",))
    assert session.state.items[item].flags == ("secret:github-token",)
    assert TOKEN in session.context(6_000, record=False).data.decode()
    assert session.safety.counts() == {"secret:github-token": 1}
    session.verify().require()


def test_or_masked_where_the_project_says_so(project: Project, session: Session) -> None:
    project.safety.choose(MASK)
    item = session.message(TEXT)
    assert session.text(item) == SAFE
    assert session.safety.flagged()[0].flags == ("masked:github-token",)
    context = session.context(6_000)
    assert "[redacted:github-token]" in context.data.decode()
    assert session.reproduce(context.version or 0).ok
    session.verify().require()


def test_the_tokens_are_those_of_the_masked_text(project: Project, session: Session) -> None:
    plain = session.message(SAFE)
    project.safety.choose(MASK)
    item = session.message(TEXT)
    assert session.state.items[item].tokens == session.state.items[plain].tokens


def test_every_write_masks(store: ContextStore, project: Project, session: Session) -> None:
    project.safety.choose(MASK)
    session.set_system_prompt(TEXT)
    session.decide(TEXT, rationale=TEXT, alternatives_rejected=[TEXT])
    goal = session.work.set_goal(TEXT)
    session.work.update_goal(goal, text=f"Again: {TEXT}")
    session.work.add_action(TEXT, blocked_by=TEXT)
    session.work.answer(session.work.ask(TEXT, context=TEXT), TEXT)
    session.work.start_task("T1", TEXT, acceptance_criteria=[TEXT])
    session.progress.error(TEXT)
    session.progress.command_executed(f"curl -H 'X-Token: {TOKEN}'")
    session.items.save("note", TEXT, summary=TEXT)
    session.message({"role": "assistant", "content": [{"type": "text", "text": TEXT}]}, format="anthropic")
    session.message("x", metadata={"header": TOKEN})
    session.tool_call("fetch", {"key": TOKEN}, call_id="c1")
    session.tool_result("c1", TEXT)
    session.details.rename(TEXT)
    session.window.compacted(TEXT, summarized=[goal], algorithm="by hand")
    session.model_called(None, "gpt-5", parameters={"api_key": TOKEN}, error=TEXT)
    session.context(6_000, query=TEXT)
    session.backtrack(session.version - 1, TEXT)
    fork = session.fork(title=TEXT)
    with session.atomic() as tx:
        tx.message(TEXT)
    bundle = ContentBundle()
    body = Reported(text=bundle.text("text", TEXT))
    brought = Effects(brings=NewItem(type="report", tokens=9, importance=0.5, tier="HOT"))
    own = session.record(body, effects=brought, contents=bundle)
    assert session.text(own) == SAFE
    started = store.start(project=project.name, title=TEXT)
    for one in (session, fork, started):
        assert _contents_with(one, TOKEN) == 0
    session.verify().require()


def test_a_tool_result_is_looked_through_for_random_texts(session: Session) -> None:
    session.message(f"My number is {RANDOM}.")
    item = session.tool_call("env", {}, call_id="c1")
    session.tool_result("c1", f"SESSION={RANDOM}")
    assert {one.item: one.flags for one in session.safety.flagged()} == {item: ("secret:random-text",)}


def test_no_search_finds_it(store: ContextStore, project: Project, session: Session) -> None:
    item = session.message(TEXT)
    memory = session.memory.remember(TEXT, keep_secrets=True)
    for _ in ("read from the log", "from the index"):
        assert not session.search(TOKEN).hits
        (hit,) = session.search("deploy key").hits
        assert hit.item == item
        assert TOKEN not in hit.snippet
        for other in store.search("deploy key", project=project.name).hits:
            assert TOKEN not in other.snippet
        assert not project.recall(TOKEN).found
        assert [found.memory.id for found in project.recall("deploy key").found] == [memory]
        index(session)
        index(project)


def test_a_memory_has_none_unless_asked(project: Project) -> None:
    assert project.memory(project.remember(TEXT, title=TEXT, details={"key": TOKEN})).text == SAFE
    assert project.memory(project.remember(TEXT, keep_secrets=True)).text == TEXT
    assert project.safety.counts() == {"masked:github-token": 1, "secret:github-token": 1}


def test_an_export_is_refused_unless_asked(session: Session, store: ContextStore, tmp_path: Path) -> None:
    item = session.message(TEXT)
    with pytest.raises(Refused, match=r"1 text holds secrets \(github-token\)"):
        store.export(session.id, tmp_path / "a.jsonl")
    assert not list(tmp_path.iterdir())
    store.export(session.id, tmp_path / "b.jsonl", secrets=True)
    assert TOKEN in (tmp_path / "b.jsonl").read_text()
    session.erase(item, "not for you")
    store.export(session.id, tmp_path / "c.jsonl")
    assert TOKEN not in (tmp_path / "c.jsonl").read_text()


def test_what_was_cleared_may_be_exported(session: Session, store: ContextStore, tmp_path: Path) -> None:
    item = session.message(TEXT)
    session.safety.clear(item, why="it was revoked")
    store.export(session.id, tmp_path / "a.jsonl")


def test_an_import_masks(store: ContextStore, tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user(TEXT)
    transcript.assistant("I look.", {"type": "tool_use", "id": "c1", "name": "env", "input": {"of": TOKEN}})
    transcript.user([{"type": "tool_result", "tool_use_id": "c1", "content": f"A={RANDOM}\n{TOKEN}"}])
    file = transcript.write(tmp_path)
    (done,) = store.import_file(file)
    session = store.session(done.session)
    assert done.secrets == {"masked:github-token": 3, "masked:random-text": 1}
    assert session.safety.counts() == {"masked:github-token": 2, "masked:random-text": 1}
    assert _contents_with(session, TOKEN) == _contents_with(session, RANDOM) == 0
    (again,) = store.import_file(file)
    assert (again.already_there, again.messages) == (3, 0)
    session.verify().require()


def test_no_name_holds_one(session: Session, store: ContextStore) -> None:
    before = session.version
    for call, field in (
        (lambda: session.items.save("note", "x", path=f"https://{TOKEN}@git.example/x"), "path"),
        (lambda: session.items.save("note", "x", name=TOKEN), "name"),
        (lambda: session.by(TOKEN), "actor"),
        (lambda: session.once(TOKEN), "key"),
        (lambda: session.details.tag("fine", TOKEN), r"tags\[1\]"),
        (lambda: session.work.start_task(TOKEN, "x"), "task"),
        (lambda: session.progress.file_updated(f"/tmp/{TOKEN}"), "path"),
        (lambda: session.tool_call("fetch", {}, call_id=TOKEN), "call_id"),
        (lambda: store.start(project=TOKEN), "project"),
        (lambda: store.project(TOKEN), "project"),
    ):
        with pytest.raises(InvalidInput, match=rf"{field}: .*secret \(github-token\)") as refused:
            call()
        assert TOKEN not in str(refused.value)
        assert not re.search(TOKEN, repr(refused.value))
    assert session.version == before


async def test_asynchronously(url: str, project: Project, session: Session) -> None:
    async with await AsyncContextStore.open(url) as store:
        await store.project(project.name).safety.choose(MASK)
        same = await store.session(session.id)
        item = await same.message(TEXT)
        assert await same.text(item) == SAFE
        assert await same.safety.counts() == {"masked:github-token": 1}


def _contents_with(session: Session, text: str) -> int:
    """The number of contents of a session that hold a text."""
    row = session._runtime.database.read(
        lambda c: c.execute(
            "select count(*) from backstory.contents where stream_id = %s and position(%s::bytea in bytes) > 0",
            (session.id, text.encode()),
        ).fetchone()
    )
    assert row is not None
    return int(row[0])
