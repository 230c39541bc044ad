"""Secrets are found by their form, in what tools say by their randomness too, and nothing else is taken for one."""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import given, strategies as st

from backstory.domain.safety.secrets import entropy, masked, secrets_in, without_secrets
from tests.properties import examples
from tests.safety.made_up import RANDOM, SECRETS, TOKEN

DATA = Path(__file__).parents[3] / "shared" / "data" / "claude-code-long"


def kinds(text: str, *, of_tool: bool = False) -> list[str]:
    return [secret.kind for secret in secrets_in(text.encode(), of_tool=of_tool)]


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize(
    "around", ["{}", "key: {} # mine", '{{"text": "see\\n{}"}}', "é→ {}\n", "export X='{}';"]
)
def test_each_form(kind: str, around: str) -> None:
    text = around.format(SECRETS[kind])
    assert kinds(text) == [kind]
    safe = without_secrets(text)
    assert f"[redacted:{kind}]" in safe
    assert kinds(safe) == []


def test_a_key_in_json_leaves_json() -> None:
    line = json.dumps({"text": f'He said "{SECRETS["private-key"]}" and {SECRETS["password"]}', "n": 1})
    assert kinds(line) == ["private-key", "password"]
    assert json.loads(without_secrets(line))["n"] == 1


@pytest.mark.parametrize(
    "text",
    [
        'password = "correct-h0rse-Battery9"',
        "'api_key': 'q7Zk2Xw9Rb4V'",
        "client_secret=q7Zk2Xw9Rb4Vn8Ts3L",
        '{"arguments": "{\\"token\\": \\"q7Zk2Xw9Rb4V\\"}"}',
    ],
)
def test_an_assigned_password(text: str) -> None:
    assert kinds(text) == ["password"]


@pytest.mark.parametrize(
    "text",
    [
        "password = get_password()",
        "token = self.next_token()",
        'api_key = os.environ["OPENAI_API_KEY"]',
        'password="your-password-1234"',
        "PASSWORD=${DB_PASSWORD}",
        "postgresql://user:password@localhost:5432/db",
        "postgres://postgres:${PGPASSWORD}@db/app",
        "AKIAIOSFODNN7EXAMPLE",
        "The token is refreshed every 30 minutes.",
        "secret_name: my-team/production/database-credentials",
        'tokens = "input_tokens=1200, output_tokens=345"',
    ],
)
def test_what_is_no_secret(text: str) -> None:
    assert kinds(text, of_tool=True) == []


def test_random_texts_count_where_a_tool_says_them() -> None:
    text = f"value {RANDOM} end"
    assert entropy(RANDOM.encode()) >= 4.5
    assert kinds(text, of_tool=True) == ["random-text"]
    assert kinds(text) == []
    assert without_secrets(text, of_tool=True) == "value [redacted:random-text] end"
    assert kinds(f"API={RANDOM}, again {RANDOM}", of_tool=True) == ["random-text"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "/usr/local/lib/python3.11/site-packages/pydantic_core/_pydantic_core.cpython-311-x86_64-linux-gnu.so",
        "/home/Anna/Projects/2024/AcmeBillingService/src/main/java/com/acme/billing/InvoiceRepositoryImplTest2.java",
        sha256(b"x").hexdigest(),
        str(uuid5(NAMESPACE_URL, "x")),
        "integrity sha512-" + b64encode(bytes(range(64))).decode(),
        "golang.org/x/net v0.17.0 h1:" + b64encode(bytes(range(100, 132))).decode(),
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + b64encode(bytes(range(255))).decode(),
        "data:image/png;base64," + b64encode(bytes(range(256)) * 40).decode(),
        "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL chatcmpl-9XkQ2hWvT7bLmN4pRsYcD1eFgHiJk",
        "getUserAuthenticationTokenProviderFactoryBean2 MAX_CONCURRENT_CONNECTIONS_PER_HOST_V2",
        "https://example.org/a/very/long/path/With-Some_Names/and.Numbers2024/ItemOverview?page=3&sort=asc",
    ],
)
def test_paths_hashes_ids_and_images_are_no_random_texts(text: str) -> None:
    assert kinds(text, of_tool=True) == []


@pytest.mark.skipif(not DATA.is_dir(), reason="the recorded sessions are not here")
def test_real_sessions_are_not_flooded() -> None:
    texts = [text for file in sorted(DATA.glob("*.gz"))[:6] for text in _results(file)]
    found = [secret for text in texts for secret in secrets_in(text.encode(errors="replace"), of_tool=True)]
    assert len(texts) > 500
    assert len(found) <= len(texts) // 500


@given(before=st.text(max_size=40), after=st.text(max_size=40), kind=st.sampled_from([*SECRETS]))
@examples(100)
def test_masking_leaves_all_else_as_it_was(before: str, after: str, kind: str) -> None:
    data = f"{before} {SECRETS[kind]} {after}".encode(errors="surrogatepass")
    found = secrets_in(data)
    safe = masked(data, found)
    assert TOKEN.encode() not in safe
    rest = data
    for secret in reversed(found):
        rest = rest[: secret.start] + f"[redacted:{secret.kind}]".encode() + rest[secret.end :]
    assert safe == rest
    assert kind in {secret.kind for secret in found}


def _results(file: Path) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            content = (json.loads(line).get("message") or {}).get("content")
            for block in content if isinstance(content, list) else ():
                if isinstance(block, dict) and block.get("type") == "tool_result":
                    yield from _texts(block.get("content"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
