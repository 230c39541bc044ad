"""Which names an answer uses, and whether a prompt holds them."""

import pytest
from hypothesis import given, strategies as st

from backstory.domain.context.recall import Ledger, holds, says
from backstory.domain.entities import code_names
from backstory.domain.entities.code_names import Name, mentions_in, names_in
from tests.properties import examples


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("I read src/auth/jwt_signer.py.", "path", "src/auth/jwt_signer.py"),
        ("cat /workspace/ponyc/src/libponyc/ast.c", "path", "/workspace/ponyc/src/libponyc/ast.c"),
        ("See ./run.sh, then stop.", "path", "./run.sh"),
        ("It is in README.md now", "path", "README.md"),
        ("call refresh_token again", "identifier", "refresh_token"),
        ("the TokenIssuer signs", "identifier", "TokenIssuer"),
        ("set AST_FLAG_IN_PARENS first", "identifier", "AST_FLAG_IN_PARENS"),
        ("use _private_name here", "identifier", "_private_name"),
    ],
)
def test_names_are_found(text: str, kind: str, name: str) -> None:
    assert list(names_in(text)) == [Name(kind, name)]


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, and more of them. Nothing else.",
        "It took 1.5 seconds, or 3/4 of a day.",
        "https://example.org",
        "Yes/no",
        "e.g. this",
        "",
    ],
)
def test_prose_has_no_identifiers_and_no_files(text: str) -> None:
    assert [name for name in names_in(text) if name.kind == "identifier" or "." in name.text] == []


def test_a_name_within_a_path_counts_as_the_path() -> None:
    assert list(names_in("src/token_store.py and token_store")) == [
        Name("path", "src/token_store.py"),
        Name("identifier", "token_store"),
    ]


def test_a_name_is_held_as_a_word_of_its_own() -> None:
    assert holds("x = refresh_token(y)", "refresh_token")
    assert holds("refresh_token", "refresh_token")
    assert not holds("my_refresh_token2 and refresh_tokens", "refresh_token")


def test_only_what_was_said_before_is_used_again() -> None:
    ledger = Ledger()
    ledger.prompted("You work in src/main.py.")
    ledger.said("Look at src/auth.py")
    ledger.said("sign_token is there")
    uses = list(ledger.uses("I edit src/auth.py and sign_token and new_name, not src/main.py"))
    assert uses == [(Name("path", "src/auth.py"), 2), (Name("identifier", "sign_token"), 1)]


def test_a_statement_is_said_however_its_lines_are_broken() -> None:
    assert says("- [D4] Use RS256\n  because …", "Use  RS256 because")
    assert not says("Use HS256", "Use RS256")


def _read_closely(text: str) -> list[Name]:
    """The same rules, tried at every character."""
    found, covered = [], list(text)
    for match in code_names._PATH.finditer(text):
        path = match[0].rstrip(".,-+")
        if code_names._NUMBERS.fullmatch(path) or len(path) < code_names.SHORTEST:
            continue
        found.append((match.start(), Name("path", path)))
        covered[match.start() : match.end()] = " " * len(match[0])
    for match in code_names._WORD.finditer("".join(covered)):
        word = match[0]
        shaped = code_names._SNAKE.search(word) or code_names._HUMPS.search(word)
        if len(word) >= code_names.SHORTEST and shaped:
            found.append((match.start(), Name("identifier", word)))
    return [name for _, name in sorted(found)]


@examples(17)
@given(st.text(alphabet="aZ_0./:~-+@(),b \n'é", max_size=80))
def test_what_is_passed_over_names_nothing(text: str) -> None:
    assert mentions_in(text) == _read_closely(text)


@pytest.mark.parametrize("piece", [".", "/", "-", "a/", "a.", "ab", "a_", "/a", "~", "@"])
@pytest.mark.parametrize("times", [99, 100, 101, 103, 3100])
def test_long_runs_are_read_as_any(piece: str, times: int) -> None:
    for text in (f"{before}{piece * times}{after}" for before in ("", ":", "x") for after in ("", "(", "/")):
        assert mentions_in(text) == _read_closely(text)
