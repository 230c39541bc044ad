"""Writes what the docs take from the code: `make docs`. With --check it only names what is stale.

A generator is a module in this folder with `PAGE`, the file, and `render()`, its text. One that makes several files
has `pages()` instead: their texts by path. Those that are listed but do not exist are left out.
"""

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Run as a script, Python looks in this folder only.
sys.path.insert(0, str(ROOT))

TEXTS = (
    "scripts.reference_cli",
    "scripts.reference_commands",
    "scripts.reference_documents",
    "scripts.reference_events",
    "scripts.reference_errors",
    "scripts.reference_http",
    "scripts.reference_metrics",
    "scripts.reference_policies",
    "scripts.reference_python",
)
"""Generators that need nothing but the code. The tests hold the docs to them."""
PICTURES = ("scripts.capture",)
"""Generators that play the demo on a Postgres of their own."""


def generated(modules: tuple[str, ...]) -> dict[Path, str]:
    """The text of each generator's file."""
    pages: dict[Path, str] = {}
    for name in modules:
        if find_spec(name) is not None:
            generator = import_module(name)
            if hasattr(generator, "pages"):
                pages |= generator.pages()
            else:
                pages[ROOT / generator.PAGE] = generator.render()
    return pages


def stale(pages: dict[Path, str]) -> list[Path]:
    """The pages whose file is missing or says something else."""
    return [path for path, text in pages.items() if not path.exists() or path.read_text() != text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when something is stale")
    only_check = parser.parse_args().check
    pages = generated(TEXTS if only_check else TEXTS + PICTURES)
    changed = stale(pages)
    for path in changed:
        print(("stale: " if only_check else "wrote ") + str(path.relative_to(ROOT)))
        if not only_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pages[path])
    return 1 if only_check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
