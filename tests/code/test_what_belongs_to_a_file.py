"""What a file imports, what imports it, and the tests of it belong to it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backstory.application.code.code_base import CodeBase
from backstory.domain.code.imports import ImportGraph, imports_of
from backstory.domain.code.neighbours import matching_tests
from tests.code.conftest import write

Read = Callable[[Path], CodeBase]

PROJECTS = {
    "python": (
        "app/main.py",
        "import os, app.config as c\nfrom app.models import user\nfrom .views import (\n    index,\n    about,\n)\n"
        "from ..outside import x\nfrom app import util\n",
        [
            "app/config.py",
            "app/models/user.py",
            "app/models/__init__.py",
            "app/views.py",
            "app/util.py",
            "lib/x.py",
        ],
        ["app/config.py", "app/models/user.py", "app/models/__init__.py", "app/views.py", "app/util.py"],
    ),
    "typescript": (
        "src/main.ts",
        "import a from './a'\nimport { b,\n  c } from \"../lib/b.js\"\nimport '@/styles'\nexport * from './sub'\n"
        "const d = require('./d')\nimport React from 'react'\n",
        ["src/a.ts", "lib/b.ts", "src/styles.ts", "src/sub/index.ts", "src/d.js", "react.ts"],
        ["src/a.ts", "lib/b.ts", "src/styles.ts", "src/sub/index.ts", "src/d.js"],
    ),
    "go": (
        "cmd/main.go",
        'package main\nimport (\n  "fmt"\n  c "example.com/shop/internal/cart"\n)\nimport "example.com/shop/pay"\n',
        ["internal/cart/cart.go", "internal/cart/cart_test.go", "pay/pay.go", "fmt.go"],
        ["internal/cart/cart.go", "pay/pay.go"],
    ),
    "java": (
        "src/main/java/shop/Main.java",
        "package shop;\nimport shop.cart.Basket;\nimport static shop.util.Money.round;\nimport java.util.List;\n",
        ["src/main/java/shop/cart/Basket.java", "src/main/java/shop/util/Money.java", "src/x/List.java"],
        ["src/main/java/shop/cart/Basket.java", "src/main/java/shop/util/Money.java"],
    ),
    "rust": (
        "src/main.rs",
        "mod cart;\nuse crate::pay::card::Card;\nuse std::fmt;\n",
        ["src/cart.rs", "src/pay/card.rs", "src/fmt.rs"],
        ["src/cart.rs", "src/pay/card.rs"],
    ),
    "c": (
        "src/main.c",
        '#include "cart.h"\n#include "pay/card.h"\n#include <stdio.h>\n',
        ["src/cart.h", "include/pay/card.h", "stdio.h"],
        ["src/cart.h", "include/pay/card.h"],
    ),
    "ruby": (
        "lib/shop.rb",
        "require 'shop/cart'\nrequire_relative 'pay'\nrequire 'json'\n",
        ["lib/shop/cart.rb", "lib/pay.rb"],
        ["lib/shop/cart.rb", "lib/pay.rb"],
    ),
}


@pytest.mark.parametrize("language", PROJECTS)
def test_imports_are_the_files_of_the_project_that_they_name(language: str) -> None:
    path, text, files, expected = PROJECTS[language]
    graph = ImportGraph([path, *files])
    found = [one for name in imports_of(text, language) for one in graph.resolve(path, language, name)]
    assert sorted(set(found)) == sorted(expected)


def test_an_import_out_of_the_project_is_nothing() -> None:
    graph = ImportGraph(["a.ts", "b.ts"])
    assert graph.resolve("a.ts", "typescript", "../../../etc/b") == []


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("shop/cart.py", "tests/shop/test_cart.py"),
        ("src/cart.ts", "src/cart.test.ts"),
        ("src/cart.ts", "src/__tests__/cart.spec.ts"),
        ("pkg/cart.go", "pkg/cart_test.go"),
        ("src/main/java/shop/Cart.java", "src/test/java/shop/CartTest.java"),
    ],
)
def test_a_test_is_known_by_its_name(path: str, test: str) -> None:
    assert matching_tests(path, [path, test, "other.py", "tests/test_other.py"]) == [test]


def test_of_two_tests_of_that_name_the_nearer_one_comes_first() -> None:
    assert matching_tests("a/x.py", ["b/tests/test_x.py", "a/tests/test_x.py"])[0] == "a/tests/test_x.py"


def test_they_are_listed_once_with_the_reason(folder: Path, read: Read) -> None:
    write(folder, "shop/pay.py", "from shop.basket import Basket\nfrom shop import mail\n")
    write(folder, "shop/main.py", "import shop.pay\n")
    write(folder, "tests/test_pay.py", "from shop.pay import pay\n")
    assert [tuple(one) for one in read(folder).neighbours(["shop/pay.py"])] == [
        ("shop/basket.py", "imported by shop/pay.py"),
        ("shop/mail.py", "imported by shop/pay.py"),
        ("tests/test_pay.py", "tests shop/pay.py"),
        ("shop/main.py", "imports shop/pay.py"),
    ]
