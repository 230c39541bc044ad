import gzip
import hashlib
from importlib.resources import files
from pathlib import Path

import pytest

from backstory.domain.errors import BackstoryError
from backstory.infrastructure.llm import tokens

EXPECTED = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}


def packed(name: str) -> bytes:
    return files("backstory.infrastructure.llm").joinpath(f"ranks/{name}.tiktoken.gz").read_bytes()


@pytest.mark.parametrize("name", EXPECTED)
def test_the_shipped_tables_are_the_ones_tiktoken_expects(name: str) -> None:
    assert hashlib.sha256(gzip.decompress(packed(name))).hexdigest() == EXPECTED[name]


@pytest.mark.parametrize("damage", ["cut", "changed", "other"])
def test_a_damaged_table_is_refused(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ranks").mkdir()
    table = {
        "cut": packed("cl100k_base")[:-1000],
        "changed": gzip.compress(gzip.decompress(packed("cl100k_base")) + b"\n"),
        "other": b"not a table",
    }[damage]
    (tmp_path / "ranks" / "cl100k_base.tiktoken.gz").write_bytes(table)
    monkeypatch.setattr(tokens, "files", lambda package: tmp_path)
    monkeypatch.setattr(tokens, "_encodings", {})
    with pytest.raises(BackstoryError, match="cl100k_base is damaged"):
        tokens.count_tokens("x", "cl100k_base")


def test_a_failed_load_can_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ranks").mkdir()
    table, good = tmp_path / "ranks" / "cl100k_base.tiktoken.gz", packed("cl100k_base")
    table.write_bytes(b"")
    monkeypatch.setattr(tokens, "files", lambda package: tmp_path)
    monkeypatch.setattr(tokens, "_encodings", {})
    with pytest.raises(BackstoryError):
        tokens.count_tokens("x", "cl100k_base")
    table.write_bytes(good)
    assert tokens.count_tokens("x", "cl100k_base") == 1
