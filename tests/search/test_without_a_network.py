"""Indexing, searching and contexts with a query open no connection: they run in a namespace that has no network."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import skip_or_fail
from tests.search.tiny_model import write_model

WORK = """
import errno, socket, sys
from backstory import ContextStore, ProjectionRunner

def refused(host, port):
    with socket.socket() as one:
        return one.connect_ex((host, port)) in (errno.ENETUNREACH, errno.ENETDOWN)

assert refused("127.0.0.1", 9) and refused("192.0.2.1", 443), "there is a network"
url, ranker = sys.argv[1:]
with ContextStore.open(url) as store:
    session = store.start(project="p")
    tea, boat, car = (session.message(f"A parcel {how} came.") for how in ("of tea", "by boat", "by automobile"))
    session.tool_call("read", {"path": "harbour.py"}, call_id="c1")
    session.tool_result("c1", "def moor(): ...")
    (listed,) = [one for one in ProjectionRunner(store).catch_up() if one.name == "search"]
    assert (listed.behind, listed.set_aside) == (0, 0)
    page = session.search("parcel in the vehicle")
    assert {hit.item for hit in page.hits} == {tea, boat, car}
    assert (page.ranker, page.warning) == (int(ranker), None)
    assert page.hits[0].item == car or page.ranker == 3
    assert [hit.type for hit in store.search("moor", project="p").hits] == ["tool_exchange"]
    context = session.context(2_000, query="parcel by automobile", summary=None)
    assert "by automobile" in context.data.decode()
    assert session.reproduce(context.version).ok
    assert store.check_projections([session.id]).ok
"""


@pytest.fixture(scope="module")
def alone() -> list[str]:
    """What a command must begin with to have no network."""
    program = shutil.which("unshare")
    if program is None:
        skip_or_fail("unshare of util-linux is not installed")
    for options in ("-n", "-rn"):
        tried = [str(program), options]
        if subprocess.run([*tried, "true"], capture_output=True).returncode == 0:
            return tried
    pytest.skip("this system gives nobody a network namespace (unshare -n, unshare -rn)")


@pytest.mark.parametrize("model", [False, True], ids=["by words", "by meaning"])
def test_everything_works(
    alone: list[str], database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: bool
) -> None:
    if model:
        monkeypatch.setenv("BACKSTORY_EMBEDDINGS", str(write_model(tmp_path / "tiny")))
    ranker = "4" if model else "3"
    run = [*alone, sys.executable, "-c", WORK, database, ranker]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
