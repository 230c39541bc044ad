"""What a project says of itself, read from its folder."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from backstory.domain.code.codebase import READ, CodebaseDocsSummary, summarize_codebase
from backstory.domain.safety.secrets import without_secrets
from backstory.infrastructure.code.source_tree import read_file

MOST_CHARACTERS = 200_000
MOST_WORKFLOWS = 20


def read_docs(name: str, root: Path, paths: Sequence[str]) -> CodebaseDocsSummary:
    """What a project says of itself: in its manifests, README and checks, and by the paths of its code files."""
    texts = {}
    for path in (*READ, *_workflows(root)):
        data = read_file(root, path)
        if data is not None and b"\0" not in data:
            texts[path] = without_secrets(data.decode("utf-8", "replace")[:MOST_CHARACTERS])
    return summarize_codebase(name, paths, texts)


def _workflows(root: Path) -> Iterator[str]:
    folder = root / ".github" / "workflows"
    try:
        names = sorted(one.name for one in folder.iterdir() if one.suffix in (".yml", ".yaml"))
    except OSError:
        return
    yield from (f".github/workflows/{name}" for name in names[:MOST_WORKFLOWS])
