"""Tried in a fresh process in which every use of a socket is an error and tiktoken has no cache to read."""

import os
import subprocess
import sys

COUNT_WITHOUT_SOCKETS = """
import sys

def refuse_sockets(event, arguments):
    if event.startswith("socket."):
        raise AssertionError(f"{event} {arguments}")

sys.addaudithook(refuse_sockets)
from backstory.infrastructure.llm.tokens import count_tokens, ENCODINGS
print([count_tokens("hello world", name) for name in ENCODINGS])
assert "requests" not in sys.modules
"""


def test_all_encodings_count_with_sockets_refused_and_no_cache() -> None:
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": "", "DATA_GYM_CACHE_DIR": ""}
    done = subprocess.run(
        [sys.executable, "-c", COUNT_WITHOUT_SOCKETS],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[2, 2, 2]\n"), done.stderr


def test_tiktokens_own_definitions_keep_their_loader() -> None:
    import tiktoken.load
    from tiktoken_ext import openai_public

    from backstory.infrastructure.llm.tokens import count_tokens

    count_tokens("x")
    assert openai_public.load_tiktoken_bpe is tiktoken.load.load_tiktoken_bpe
