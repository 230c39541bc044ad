from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from backstory.infrastructure.llm import tokens


def test_many_threads_load_each_encoding_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    build = tokens._build

    def build_and_note(name: str) -> object:
        built.append(name)
        return build(name)

    monkeypatch.setattr(tokens, "_encodings", {})
    monkeypatch.setattr(tokens, "_build", build_and_note)
    start = Barrier(8)

    def count(_: int) -> int:
        start.wait()
        return tokens.count_tokens("hello world", "cl100k_base")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, range(8))) == [2] * 8
    assert built == ["cl100k_base"]
