"""Definitions of nine languages, with the comments above them and a signature of one line."""

import pytest

from backstory.domain.code.definitions import LONGEST_SIGNATURE, chunks_of
from backstory.infrastructure.code.parsers import definitions_of

SOURCES = {
    "python": ("class A:\n    @property\n    def size(self):\n        return 1\n", ["A", "size"]),
    "javascript": ("class A { go() {} }\nconst f = (x) => x\n", ["A", "go", "f"]),
    "typescript": (
        "export interface Shape { area(): number }\nexport function f(a: string) { }\n",
        ["Shape", "area", "f"],
    ),
    "tsx": ("export const Box = (p: P) => { return <b/> }\n", ["Box"]),
    "go": ("package a\ntype T struct { x int }\nfunc (t *T) Go(n int) error { return nil }\n", ["T", "Go"]),
    "rust": ("struct S { a: u8 }\nimpl S { fn go(&self) -> u8 { 1 } }\n", ["S", "go"]),
    "java": ("class A {\n  int size() { return 1; }\n}\n", ["A", "size"]),
    "c": ("struct point { int x; };\nint area(struct point *p) { return 1; }\n", ["point", "area"]),
    "cpp": ("class A { public: int size() { return 1; } };\n", ["A", "size"]),
    "ruby": ("module M\n  class A\n    def go(x)\n      x\n    end\n  end\nend\n", ["M", "A", "go"]),
}


@pytest.mark.parametrize("language", SOURCES)
def test_in_each_language(language: str) -> None:
    source, names = SOURCES[language]
    assert [one.name for one in definitions_of(source.encode(), language)] == names


def test_decorators_and_comments_belong_to_them() -> None:
    source = (
        "x = 1\n\n# Why.\n# More.\n@cache\ndef f(\n    a: int,\n    b: int = 2,\n) -> int:\n    return a\n"
    )
    (found,) = [one for one in definitions_of(source.encode(), "python") if one.kind == "function"]
    assert (found.first, found.line, found.last) == (3, 5, 10)
    assert found.signature == "def f( a: int, b: int = 2, ) -> int"


def test_a_long_signature_is_cut() -> None:
    source = f"def f({', '.join(f'argument_{n}' for n in range(50))}):\n    pass\n"
    (found,) = definitions_of(source.encode(), "python")
    assert len(found.signature) == LONGEST_SIGNATURE
    assert found.signature.endswith("…")


def test_a_class_is_searched_up_to_its_first_method() -> None:
    source = "class A:\n    x = 1\n\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n"
    definitions = definitions_of(source.encode(), "python")
    assert [(chunk.first, chunk.last) for chunk in chunks_of(definitions, 9)] == [(1, 3), (4, 5), (7, 8)]


def test_a_file_without_definitions_is_searched_in_blocks() -> None:
    assert [(chunk.first, chunk.last) for chunk in chunks_of([], 90)] == [(1, 40), (41, 80), (81, 90)]


@pytest.mark.parametrize(
    "source", [b"", b"\xff\xfe\x00def", b"def f(:\n  (((((", b"(" * 100_000, b"class A:\n" * 5_000]
)
def test_what_cannot_be_parsed_is_no_error(source: bytes) -> None:
    definitions_of(source, "python")


def test_other_languages_have_none() -> None:
    assert definitions_of(b"fun main() {}", "kotlin") == []
