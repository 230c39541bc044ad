"""Which names an answer uses, and whether a prompt holds them."""

import pytest

from backstory.domain.recall import Ledger, holds, says
from backstory.domain.tracking.code_names import Name, names_in


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
