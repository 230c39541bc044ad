"""Where packages were fetched from is a matter of each machine, and stays out of the repository."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADDRESSES = re.compile(
    rb"(pypi|pythonhosted|npmjs|debian)\.org|registry\.(npm|yarn)|(index-url|find-links)[ =]+\S*/"
)


def kept_files() -> list[Path]:
    """What git tracks, or would at the next `git add`."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_file_names_a_package_registry() -> None:
    files = kept_files()
    assert ROOT / "pyproject.toml" in files
    found = {path: match[0] for path in files if (match := ADDRESSES.search(path.read_bytes()))}
    assert not found
