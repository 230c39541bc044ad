"""JSON lines that Polars reads as they are, whatever is null or empty in them."""

from pathlib import Path

import polars as pl
import pytest

from backstory.application.store import ContextStore
from backstory.domain.messages.contents import Message, Part


def test_sessions_without_titles_before_one_that_has_everything(store: ContextStore, directory: Path) -> None:
    full = store.start(title="Full", tags=["a"], project="P")
    full.progress.focus(["a.py"])
    full.by("x").message("hi")
    for _ in range(120):
        store.start()
    store.sync(directory)
    table = pl.read_ndjson(directory / "context/sessions.jsonl")
    assert table.height == 121
    assert table.schema["title"] == pl.String
    assert table.schema["tags"] == pl.List(pl.String)
    assert table["title"].drop_nulls().to_list() == ["Full"]
    assert table.filter(pl.col("project") == "P")["primary_files"].to_list() == [["a.py"]]


@pytest.mark.parametrize(
    "text", ["a\x00b", "\x00", "line\u2028\u2029\x85end\r\n", '"\\', "😀 \ufffe", "\ufeffbom", "\x1b[31m"]
)
def test_any_text(text: str, store: ContextStore, directory: Path) -> None:
    session = store.start(title=text)
    session.message(text)
    session.work.set_goal(text)
    session.decide(text, rationale=text)
    store.sync(directory)
    assert (
        pl.read_ndjson(directory / f"context/sessions/{session.id}/recent_history.jsonl")["content"][0]
        == text
    )
    assert pl.read_ndjson(directory / "context/sessions.jsonl")["title"][0] == text


def test_bytes_that_are_no_utf8(store: ContextStore, directory: Path) -> None:
    session = store.start()
    session.message(Message("user", (Part("text", b"caf\xe9 \xff"),)))
    session.items.save("lesson", b"\xff\xfe lesson")
    store.sync(directory)
    table = pl.read_ndjson(directory / f"context/sessions/{session.id}/recent_history.jsonl")
    assert table["content"][0] == "caf\ufffd \ufffd"


def test_many_histories_are_read_together(store: ContextStore, directory: Path) -> None:
    for number in range(3):
        store.start().message(f"m{number}")
    store.start()  # without a message, so without a history
    store.sync(directory)
    table = pl.read_ndjson(directory / "context/sessions/*/recent_history.jsonl")
    assert sorted(table["content"].to_list()) == ["m0", "m1", "m2"]
