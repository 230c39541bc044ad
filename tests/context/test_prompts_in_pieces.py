"""A prompt is shown in pieces, each with the section and the item that it comes from."""

import json

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, UnknownVersion


@pytest.fixture
def session(any_store: ContextStore) -> Session:
    session = any_store.start(title="Prompts", limit=8_000)
    session.set_system_prompt("You are a careful engineer.")
    session.by("ana").message("Which algorithm signs the tokens?")
    session.by("coder").tool_call("read_file", {"path": "settings.py"}, call_id="call_1")
    session.by("coder").tool_result("call_1", "ALGORITHM = 'RS256'")
    session.decide("Use RS256", rationale="services only need the public key")
    return session


@pytest.mark.parametrize("format", ["openai", "anthropic", "markdown", "parts"])
def test_every_piece_stands_in_the_prompt(session: Session, format: str) -> None:
    context = session.context(4_000, format=format, record=False)
    shown = context.data.decode()
    assert {piece.section for piece in context.pieces} >= {"system", "rules", "history"}
    for piece in context.pieces:
        assert (piece.text is None) is (piece.message is not None)
        if format == "markdown":
            assert piece.text is not None
            assert piece.text in shown
        elif piece.text is not None:
            assert json.dumps(piece.text, ensure_ascii=False)[1:-1] in shown
        elif piece.section == "history":
            assert json.dumps(piece.message, ensure_ascii=False, separators=(",", ":")) in shown


def test_messages_name_their_items(session: Session) -> None:
    context = session.context(4_000, record=False)
    history = [piece for piece in context.pieces if piece.section == "history"]
    assert {piece.item for piece in history} == set(context.items("history"))
    assert "".join(json.dumps(piece.message) for piece in history) == "".join(
        json.dumps(message) for message in context.messages[1 : 1 + len(history)]
    )


def test_a_reproduced_context_has_the_pieces_of_its_preview(session: Session) -> None:
    preview = session.context(4_000, record=False)
    recorded = session.context(4_000)
    assert recorded.version is not None
    again = session.reproduce(recorded.version).context
    assert again is not None
    assert again.pieces == preview.pieces


class TestAtAVersion:
    def test_a_preview_is_the_context_that_was_made_then(self, session: Session) -> None:
        then = session.context(4_000, record=False)
        version = session.version
        session.message("And how long do they live?")
        session.decide("One hour")
        assert session.context(4_000, record=False).data != then.data
        again = session.context(4_000, record=False, at=version)
        assert again.at == version
        assert again.data == then.data

    def test_what_was_left_by_a_backtrack_is_shown(self, session: Session) -> None:
        wrong = session.decide("Use HS256")
        session.backtrack(wrong - 1, "it needs a shared secret")
        shown = session.context(4_000, format="markdown", record=False, at=wrong).text
        assert shown is not None
        assert "Use HS256" in shown

    def test_a_query_finds_nothing_that_came_later(self, session: Session) -> None:
        version = session.version
        session.message("The rotation of keys is monthly.")
        shown = session.context(2_000, query="rotation of keys", format="markdown", record=False, at=version)
        assert "monthly" not in (shown.text or "")

    def test_it_is_no_context_to_record(self, session: Session) -> None:
        with pytest.raises(InvalidInput, match="^at: must be left out"):
            session.context(4_000, at=2)

    def test_a_version_that_is_not_there_is_named(self, session: Session) -> None:
        with pytest.raises(UnknownVersion, match="999"):
            session.context(4_000, record=False, at=999)
