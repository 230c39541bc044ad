"""Names in any case, texts as they stand, quotes, options; and what is no command."""

import pytest
from hypothesis import given, strategies as st

from backstory.application.chat import is_command
from backstory.application.chat.syntax import options_of, parse_command, split_because
from backstory.application.store import ContextStore
from backstory.domain.context_document.commands import OFFERS
from backstory.domain.errors import InvalidInput
from tests.properties import examples


@pytest.mark.parametrize(
    "said", ["/set_goal x", "/SET_GOAL x", "/set-goal x", "  /set_goal \n x  ", "/set_goal\tx"]
)
def test_names_are_found_however_they_are_written(said: str) -> None:
    parsed = parse_command(said)
    assert (parsed.typed, parsed.argument) == ("/set_goal", "x")


@pytest.mark.parametrize("said", ["FACILITATOR update   Idea: x", "/Facilitator update idea: x"])
def test_a_name_ends_with_its_word(said: str) -> None:
    assert parse_command(said).offer is None


def test_a_name_of_three_words() -> None:
    parsed = parse_command("/Facilitator  Update idea  A new\n\nidea")
    assert (parsed.typed, parsed.argument) == ("facilitator update idea", "A new\n\nidea")


@pytest.mark.parametrize(
    "said", ["", "  ", "hello", "/", "/ set_goal x", "/usr/bin/env is broken", "//x", "facilitators", "1"]
)
def test_what_is_no_command_is_refused(said: str, store: ContextStore) -> None:
    session = store.start()
    assert not is_command(said)
    with pytest.raises(InvalidInput) as refused:
        session.command(said)
    assert refused.value.field == "command"
    assert session.version == 1


@pytest.mark.parametrize("said", [None, 5, b"/set_goal x", ["/set_goal"]])
def test_what_is_no_text_is_refused(said: object, store: ContextStore) -> None:
    with pytest.raises(InvalidInput, match="must be text"):
        store.start().command(said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("one\n  two\n", "one\n  two"),
        ('"one two"', "one two"),
        ("“one two”", "one two"),
        (r'"say \"hi\" \\ there"', r'say "hi" \ there'),
        ('"one" and "two"', '"one" and "two"'),
        ("it's", "it's"),
        ("add --title to the CLI", "add --title to the CLI"),
    ],
)
def test_texts_are_kept_as_they_stand(written: str, kept: str, store: ContextStore) -> None:
    assert store.start().command(f"/set_goal {written}").data["text"] == kept


@pytest.mark.parametrize(
    ("written", "apart"),
    [
        ("Use RS256", ("Use RS256", None)),
        ("Use RS256 because safer because newer", ("Use RS256", "safer because newer")),
        ("Use RS256\nBECAUSE\nsafer", ("Use RS256", "safer")),
        ("Just because", ("Just because", None)),
        ('"Stay because we can"', ("Stay because we can", None)),
        ('"Stay because we can" because easy', ("Stay because we can", "easy")),
        ('"Use RS256" "safer"', ("Use RS256", "safer")),
    ],
)
def test_a_reason_follows_because(written: str, apart: tuple[str, str | None]) -> None:
    assert split_because(written) == apart


@pytest.mark.parametrize("written", ['--title="A b"', "--title=A b", "--TITLE A b", "  --title = A b"])
def test_an_option(written: str) -> None:
    expected = {"title": "= A b"} if " = " in written else {"title": "A b"}
    assert options_of(written, ("title",)) == expected


@pytest.mark.parametrize("written", ["x", "--titel=x", "--title=", "--title=x --title=y", '--title="x" y'])
def test_options_that_are_not_there(written: str, store: ContextStore) -> None:
    session = store.start()
    refused = session.command(f"/context archive {written}")
    assert not refused.ok
    assert (refused.events, session.version, session.state.status) == ((), 1, "open")


@examples(17)
@given(st.text(st.characters(codec="utf-8"), max_size=80))
def test_any_text_is_a_command_or_refused(text: str) -> None:
    names = {offer.command for offer in OFFERS}
    if not is_command(text):
        with pytest.raises(InvalidInput):
            parse_command(text)
    else:
        parsed = parse_command(text)
        assert (parsed.offer is None) == (parsed.typed not in names)


@examples(8)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=80))
def test_any_text_can_be_a_goal(store: ContextStore, text: str) -> None:
    session = store.start()
    done = session.command(f"/set_goal {text}")
    if done.ok:
        assert session.text(done.data["goal"]) == done.data["text"]
        assert done.data["text"] in text or '"' in text or "“" in text
    else:
        assert session.version == 1
