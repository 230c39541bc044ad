"""A shop with a few files, and a system of contexts for it under a name of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from backstory import ContextStore, ContextSystem, create_context_system

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["fastapi", "pytest"]\n',
    "README.md": "# Shop\n\nA small shop that sells tea and coffee to people.\n",
    "shop/basket.py": (
        '"""The basket."""\n\nfrom shop.prices import price_of\n\n\n'
        "class Basket:\n"
        '    """What a customer wants to buy."""\n\n'
        "    def add(self, product, amount=1):\n"
        "        self.lines.append((product, amount))\n\n"
        "    def total(self):\n"
        "        return sum(price_of(product) * amount for product, amount in self.lines)\n"
    ),
    "shop/prices.py": "def price_of(product):\n    return PRICES[product]\n",
    "shop/discounts.py": (
        "def apply_discount(basket, voucher):\n"
        '    """Lowers the total by what a voucher is worth."""\n'
        "    return basket.total() - VOUCHERS[voucher]\n"
    ),
    "shop/mail.py": "def send_receipt(address, basket):\n    return post(address, basket.total())\n",
    "tests/test_basket.py": "from shop.basket import Basket\n\n\ndef test_total():\n    assert Basket().total() == 0\n",
}
TASK: dict[str, Any] = {
    "id": "task-001",
    "name": "Round the total of a basket",
    "description": "The total is rounded to two places, once, at the end.",
    "files": ["shop/basket.py"],
    "test_criteria": "All basket tests pass",
    "acceptance_criteria": ["The total has two places"],
    "dependencies": ["shop/prices.py"],
    "estimated_time": 4,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shop's files, without git."""
    root = tmp_path / "shop"
    for path, text in FILES.items():
        write(root, path, text)
    return root


@pytest.fixture
def system_of(store: ContextStore) -> Callable[..., ContextSystem]:
    """Makes a system for a folder, of a new project."""

    def make(root: Path, **options: Any) -> ContextSystem:
        config = {"name": f"shop-{uuid4().hex[:8]}", "path": str(root)}
        return create_context_system(store, config, **options)

    return make


@pytest.fixture
def system(system_of: Callable[..., ContextSystem], folder: Path) -> ContextSystem:
    """A system for the shop."""
    return system_of(folder)


def write(root: Path, path: str, text: str | bytes) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)
    return place
