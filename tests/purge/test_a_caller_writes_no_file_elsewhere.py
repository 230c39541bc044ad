"""Over a service, exports are written only to folders that the operator listed."""

from pathlib import Path

import pytest

from backstory.application.store import ContextStore
from backstory.domain.access import Caller
from backstory.domain.errors import AccessDenied


@pytest.fixture
def served(store: ContextStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ContextStore:
    """The store as a key sees it, where one folder is listed."""
    (tmp_path / "exports").mkdir()
    monkeypatch.setenv("BACKSTORY_ALLOWED_ROOTS", str(tmp_path / "exports"))
    return store.on_behalf_of(Caller("k"))


def test_a_session_is_exported_to_a_listed_folder(served: ContextStore, tmp_path: Path) -> None:
    session = served.start()
    served.purge(session.id, tmp_path / "exports" / "one.jsonl")
    assert (tmp_path / "exports" / "one.jsonl").exists()


def test_other_folders_are_refused_and_nothing_is_purged(served: ContextStore, tmp_path: Path) -> None:
    session = served.start(project="elsewhere")
    (tmp_path / "exports" / "way").symlink_to(tmp_path)
    for place in (
        tmp_path / "one.jsonl",
        tmp_path / "exports/../one.jsonl",
        tmp_path / "exports/way/one.jsonl",
    ):
        with pytest.raises(AccessDenied, match="BACKSTORY_ALLOWED_ROOTS"):
            served.purge(session.id, place)
    with pytest.raises(AccessDenied):
        served.purge_memory("elsewhere", tmp_path / "memory.jsonl")
    with pytest.raises(AccessDenied):
        served.set_retention("elsewhere", 1, purge_to=tmp_path)
    assert served.session(session.id).version == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exports"]
