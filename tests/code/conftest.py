"""Projects on disk, and their index in a database."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from backstory.application.code.code_base import CodeBase
from backstory.application.code.code_index import CodeIndex
from backstory.application.store import ContextStore
from backstory.infrastructure.code.source_tree import read_tree
from backstory.infrastructure.postgres.database import Database

FILES = {
    "shop/basket.py": (
        '"""The basket."""\n\n\n'
        "class Basket:\n"
        '    """What a customer wants to buy."""\n\n'
        "    def add(self, product, amount=1):\n"
        "        self.lines.append((product, amount))\n\n"
        "    # Rounded once, at the end.\n"
        "    def total(self):\n"
        "        return round(sum(product.price * amount for product, amount in self.lines), 2)\n\n\n"
        "def empty_basket():\n"
        "    return Basket()\n"
    ),
    "shop/discounts.py": (
        "def apply_discount(basket, code):\n"
        '    """Lowers the total by what a voucher is worth."""\n'
        "    return basket.total() - VOUCHERS[code]\n"
    ),
    "shop/mail.py": "def send_receipt(address, basket):\n    return post(address, basket.total())\n",
    "web/checkout.ts": "export function checkoutButton(basket: Basket): string {\n  return `Pay ${basket.total}`\n}\n",
    "README.md": "# Shop\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of a shop, without git."""
    root = tmp_path / "shop"
    for path, text in FILES.items():
        write(root, path, text)
    return root


@pytest.fixture
def repository(folder: Path) -> Path:
    """The same with git and a few commits."""
    run(folder, "init", "-q", "-b", "main")
    commit(folder, "Begin the shop")
    return folder


@pytest.fixture
def database(store: ContextStore) -> Database:
    return store._runtime.database


@pytest.fixture
def read(database: Database) -> Callable[[Path], CodeBase]:
    """Reads a folder as a new process would."""
    return lambda root: CodeIndex(database, root).read(read_tree(root))


def write(root: Path, path: str, text: str | bytes) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)


def run(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True)


def commit(root: Path, message: str) -> None:
    run(root, "add", "-A")
    run(root, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", message)
