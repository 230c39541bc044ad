"""What a write names must be there: an error that names the field, and nothing is written."""

from collections.abc import Callable
from typing import Any

import pytest

from backstory import BackstoryError, ContextStore
from backstory.application.session import Session
from backstory.domain.errors import InvalidInput, SessionDiffers, UnknownItem

OPENAI_CALL = {
    "role": "assistant",
    "content": "looking",
    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}
ANTHROPIC_CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}
ANTHROPIC_RESULT = {
    "role": "user",
    "content": [{"type": "tool_result", "tool_use_id": "c", "content": "done"}],
}


def _with_block(type: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": type, **fields}]}


Write = Callable[[Session], Any]
REFUSED: dict[str, tuple[Write, type[BackstoryError], str]] = {
    "a cause that does not exist": (
        lambda session: session.caused_by(99).message("x"),
        InvalidInput,
        "cause: must be the version of an earlier event",
    ),
    "itself as its cause": (
        lambda session: session.caused_by(session.version + 1).message("x"),
        InvalidInput,
        "cause: must be",
    ),
    "a message that refers to nothing": (
        lambda session: session.message("x", references=[99]),
        UnknownItem,
        "references: item 99 is not on this branch",
    ),
    "an item that refers to an event without an item": (
        lambda session: session.items.save("note", "x", references=[1]),
        UnknownItem,
        "references: item 1 is not on this branch",
    ),
    "a question that blocks nothing": (
        lambda session: session.work.ask("x", blocks=[99]),
        UnknownItem,
        "blocks: item 99",
    ),
    "a call that led to a goal": (
        lambda session: session.model_called(None, "m", message=3),
        InvalidInput,
        "message: must be message or tool_exchange: item 3 is a goal",
    ),
    "a call that led to nothing": (
        lambda session: session.model_called(None, "m", message=99),
        UnknownItem,
        "message: item 99",
    ),
    "usage under a name that nobody reads": (
        lambda session: session.model_called(None, "m", {"tokens": 5}),
        InvalidInput,
        "usage: has names that are not read: tokens",
    ),
    "usage of which nothing is read": (
        lambda session: session.model_called(None, "m", {"tokens": {"in": 5}, "out": "7"}),
        InvalidInput,
        "not read: tokens, out",
    ),
    "usage of which half is not read": (
        lambda session: session.model_called(None, "m", {"prompt_tokens": 5, "completion": 7}),
        InvalidInput,
        "not read: completion",
    ),
    "OpenAI's call as Anthropic's": (
        lambda session: session.message(OPENAI_CALL, format="anthropic"),
        InvalidInput,
        "message.tool_calls: belongs to a message of the format openai",
    ),
    "Anthropic's call as OpenAI's": (
        lambda session: session.message(ANTHROPIC_CALL, format="openai"),
        InvalidInput,
        r"message.content\[0\].type: tool_use belongs to a message of the format anthropic",
    ),
    "Anthropic's result as OpenAI's": (
        lambda session: session.message(ANTHROPIC_RESULT, format="openai"),
        InvalidInput,
        "tool_result belongs to a message of the format anthropic",
    ),
    "a call of Anthropic's own tools as OpenAI's": (
        lambda session: session.message(_with_block("server_tool_use", id="c", name="f"), format="openai"),
        InvalidInput,
        r"content\[0\].type: server_tool_use belongs to a message of the format anthropic",
    ),
    "Anthropic's image as OpenAI's": (
        lambda session: session.message(_with_block("image", source={"type": "url"}), format="openai"),
        InvalidInput,
        "image belongs to a message of the format anthropic",
    ),
    "an element of OpenAI's calls as Anthropic's block": (
        lambda session: session.message(_with_block("function", id="c"), format="anthropic"),
        InvalidInput,
        "function belongs to a message of the format openai",
    ),
    "OpenAI's image as Anthropic's": (
        lambda session: session.message(_with_block("image_url", image_url={}), format="anthropic"),
        InvalidInput,
        "image_url belongs to a message of the format openai",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_written(store: ContextStore, name: str) -> None:
    write, error, text = REFUSED[name]
    session = store.start()
    session.message("hello")
    session.work.set_goal("ship")
    with pytest.raises(error, match=text):
        write(session)
    assert session.version == 3


def test_a_cause_in_a_transaction(store: ContextStore) -> None:
    session = store.start()
    tx = session.atomic()
    tx.message("kept back")
    tx.caused_by(99).message("x")
    with pytest.raises(InvalidInput, match="cause"):
        tx.commit()
    assert session.version == 1


def test_references_that_are_there(store: ContextStore) -> None:
    session = store.start()
    first = session.message("hello")
    second = session.message("more", references=[first])
    session.items.save("note", "x", references=[first, second])
    session.work.ask("which?", blocks=[first])
    session.caused_by(first).message("because of it")
    session.model_called(None, "m", {"input_tokens": 5, "total_tokens": 5}, message=second)
    session.model_called(None, "m", {"input_tokens": 5, "output_tokens": 1, "cost": 0.5})
    assert session.version == 7 + 1


def test_a_repeated_write_is_answered_although_its_reference_is_off_the_branch(store: ContextStore) -> None:
    session = store.start()
    first = session.message("hello")
    written = session.once("k").message("more", references=[first])
    session.backtrack(1, "another way")
    session.refresh()
    assert session.once("k").message("more", references=[first]) == written


def test_a_session_started_again_under_another_title(store: ContextStore) -> None:
    session = store.start(title="Plan A")
    with pytest.raises(SessionDiffers, match="title: .* was started with another title"):
        store.start(session.id, title="Plan B")
    assert session.version == 1
    assert store.start(session.id, title="Plan A").id == session.id
    assert store.start(session.id).id == session.id


def test_a_session_started_again_after_it_was_renamed(store: ContextStore) -> None:
    session = store.start(title="Plan A")
    session.details.rename("Plan B")
    assert store.start(session.id, title="Plan A").version == 2
    assert store.start(session.id, title="Plan B").version == 2
    with pytest.raises(SessionDiffers):
        store.start(session.id, title="Plan C")


def test_a_session_started_again_in_another_project(store: ContextStore) -> None:
    session = store.start(project="shop")
    with pytest.raises(SessionDiffers, match="project: .* was started in another project"):
        store.start(session.id, project="bank")
    assert session.version == 1
    assert store.start(session.id, project="shop").id == store.start(session.id).id == session.id
