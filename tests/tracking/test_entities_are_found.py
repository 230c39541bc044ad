"""What a message mentions: names by their form, technologies by a lexicon, concepts by word lists."""

import pytest

from backstory.domain.entities.entities import Mention, extract
from backstory.domain.text.markdown import READ

FOUND = {
    "see auth/jwt.py:42": [("file", "auth/jwt.py")],
    "in ./src/index.tsx and /etc/hosts": [("file", "./src/index.tsx"), ("file", "/etc/hosts")],
    "C:\\work\\app.ts is open": [("file", "C:\\work\\app.ts")],
    "the Dockerfile and the Makefile": [("file", "Dockerfile"), ("file", "Makefile")],
    "call get_token() or tokens.revoke()": [("function", "get_token"), ("function", "tokens.revoke")],
    "rename parse_date and getUserById": [("function", "parse_date"), ("function", "getUserById")],
    "look at `render`": [("function", "render")],
    "TokenStore wraps it": [("class", "TokenStore")],
    "Python 3.11 on postgres15 with Node.js": [
        ("technology", "Python"),
        ("technology", "PostgreSQL"),
        ("technology", "Node.js"),
    ],
    "signed with RS256 in a JWT": [("technology", "RS256"), ("technology", "JWT")],
    "runs on GitHub Actions": [("technology", "GitHub Actions")],
    "Go on. We write Go.": [("technology", "Go")],
    "ask @john or mail ops@example.com": [("person", "@john")],
    "the @property decorator and @app.route": [],
    "at https://example.com/a/b.py?x=1).": [("url", "https://example.com/a/b.py?x=1")],
    "raises billing.LockedError and ValueError": [("error", "LockedError"), ("error", "ValueError")],
    "exits with SIGKILL after ENOENT and HTTP 503": [
        ("error", "SIGKILL"),
        ("error", "ENOENT"),
        ("error", "HTTP 503"),
    ],
    "it returns 404 Not Found": [("error", "HTTP 404")],
    "it sends 404 bytes": [],
    "rotate refresh tokens": [("concept", "refresh tokens")],
    "a public key infrastructure": [("concept", "public key infrastructure")],
    'read about "eventual consistency"': [("concept", "eventual consistency")],
    "the Summer Party is near": [("concept", "Summer Party")],
    "oak barrel, then oak barrel": [("concept", "oak barrel"), ("concept", "oak barrel")],
    "the token(s) and and/or": [],
    "keys at /.well-known/jwks.json": [("url", "/.well-known/jwks.json")],
    "fetch {issuer}/.well-known/jwks.json": [("url", "/.well-known/jwks.json")],
    "read id.example.org/.well-known/jwks.json": [("url", "id.example.org/.well-known/jwks.json")],
    "it is localhost:8000/openapi.json": [("url", "localhost:8000/openapi.json")],
    "GET /openapi.json and `POST /v1/items.json`": [("url", "/openapi.json"), ("url", "/v1/items.json")],
    "the /users.json endpoint": [("url", "/users.json")],
    'with @app.get("/users.json")': [("url", "/users.json")],
    "in public/.well-known/jwks.json": [("file", "public/.well-known/jwks.json")],
    "/srv/app/pay.py routes it": [("file", "/srv/app/pay.py")],
    "$HOME/notes.md, /tmp/a.json": [("file", "HOME/notes.md"), ("file", "/tmp/a.json")],
    "": [],
}


@pytest.mark.parametrize("text", FOUND)
def test_by_kind(text: str) -> None:
    assert list(extract(text)) == FOUND[text]


def test_in_order_of_appearance_and_as_often_as_they_appear() -> None:
    said = extract("Redis, then auth/jwt.py, then Redis again")
    assert said == (
        Mention("technology", "Redis"),
        Mention("file", "auth/jwt.py"),
        Mention("technology", "Redis"),
    )


def test_a_snippet_counts_for_what_it_defines_and_raises() -> None:
    said = extract(
        "```python\n@app.get('/')\ndef show_page(request):\n    raise PageError(len(request.args))\n```"
    )
    assert said == (
        Mention("technology", "Python"),
        Mention("function", "show_page"),
        Mention("error", "PageError"),
    )


def test_a_traceback_names_files_functions_and_the_error() -> None:
    said = extract('  File "/srv/app/pay.py", line 3, in charge_card\napp.errors.CardError: no')
    assert said == (
        Mention("file", "/srv/app/pay.py"),
        Mention("function", "charge_card"),
        Mention("error", "CardError"),
    )


def test_only_in_the_part_that_is_read() -> None:
    assert extract("." * READ + " auth/jwt.py") == ()
