"""A page that is written and read again has no edits, whatever the memories on it say."""

import pytest
from hypothesis import given, strategies as st

from backstory.domain.memory_pages.blocks import Said, block_of, settled, words_of
from backstory.domain.memory_pages.edits import edits_of
from backstory.domain.memory_pages.page import Entry, Malformed, Page, base_of, page_in, read_page, write_page

PIECES = (
    *(
        "- ",
        "* ",
        "## ",
        "# ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "<!-- M7 -->",
        "<\\!--",
        "**a**: ",
        "\\**",
        "`",
        ":",
    ),
    *("x", "é", "\u2028", "\ufeff"),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), min_size=1, max_size=8).map("".join)
SAID = st.builds(Said, st.none() | TEXTS.filter(lambda text: text.strip()), TEXTS).filter(
    lambda said: settled(block_of(said))
)


def page_of(entries: list[Entry]) -> Page:
    return Page("Notes", tuple(entries), base_of("shop -->", "notes.md", 9, entries), ("Notes", "Empty"))


@given(st.lists(st.tuples(st.sampled_from(["Notes", "Rules"]), SAID, st.booleans()), max_size=6))
def test_what_was_written_is_no_edit(said: list[tuple[str, Said, bool]]) -> None:
    entries = [
        Entry(section, block_of(words), number if known else None)
        for number, (section, words, known) in enumerate(said, 2)
    ]
    page = page_in(write_page(page_of(entries)).encode(errors="replace"))
    assert page.base is not None
    assert page.base.project == "shop -->"
    assert not edits_of(page)
    assert sorted(entry.memory or 0 for entry in page.entries) == sorted(
        entry.memory or 0 for entry in entries
    )


@given(SAID)
def test_the_words_of_a_block_are_those_it_was_made_of(said: Said) -> None:
    again = block_of(words_of(block_of(said)))
    assert again == block_of(words_of(again))
    plain = said.text.replace("\r\n", "\n").replace("\r", "\n")
    if said.title is None and plain == settled(plain):
        assert words_of(block_of(said)) == Said(None, plain.strip())


def edited(text: str) -> tuple[list[str], list[tuple[int | None, str]], tuple[int, ...]]:
    entries = [Entry("Notes", "one", 2), Entry("Notes", "two", 3), Entry("Notes", "from a session")]
    written = write_page(page_of(entries))
    start, end = written.index("- one"), written.index("## Empty")
    edits = edits_of(read_page(written[:start] + text + "\n\n" + written[end:]))
    return (
        [entry.block for entry in edits.added],
        [(entry.memory, entry.block) for entry in edits.changed],
        edits.removed,
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- one <!-- M2 -->\n- two <!-- M3 -->", ([], [], ())),
        ("- two <!-- M3 -->\n\n\n* one   <!-- M2 -->  \n- from a session", ([], [], ())),
        ("- one more <!-- M2 -->\n- two <!-- M3 -->", ([], [(2, "one more")], ())),
        ("- one <!-- M2 --> more\n- two <!-- M3 -->", ([], [(2, "one more")], ())),
        (
            "- one <!-- M2 -->\n  and more\n\n  still\n- two <!-- M3 -->",
            ([], [(2, "one\nand more\n\nstill")], ()),
        ),
        ("- one <!-- M2 -->\nwrapped\n- two <!-- M3 -->", ([], [(2, "one\nwrapped")], ())),
        ("- one <!-- M2 -->\n- three", (["three"], [], (3,))),
        ("- one <!-- M2 -->\n- two <!-- M3 -->\n- from another session", (["from another session"], [], ())),
        ("- one <!-- M2 -->\n- two <!-- M3 -->\n- copied <!-- M2 -->", (["copied"], [], ())),
        ("- one <!-- M2 -->\n- one <!-- M2 -->\n- two <!-- M3 -->", ([], [], ())),
        ("- one <!-- M2 --> two <!-- M3 -->", ([], [(2, "one two")], (3,))),
        (
            "- one <!-- M2 -->\n- two <!-- M3 -->\n- of another page <!-- M99 -->",
            (["of another page"], [], ()),
        ),
        ("- two <!-- M3 -->\n## Rules\n- one <!-- M2 -->", ([], [(2, "one")], ())),
    ],
)
def test_edits_are_told_from_the_base(text: str, found: object) -> None:
    assert edited(text) == found


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        ("- one <!-- M2 -->\n\nprose", 8, "must begin with `- `"),
        ("- <!-- M2 -->", 6, "must have a text"),
        ("- x\n### deeper", 7, "must be a section"),
        ("- x\n## ", 7, "the section's name: must not be empty"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, line: int, rule: str) -> None:
    with pytest.raises(Malformed, match=rule) as refused:
        edited(text)
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("data", "line", "rule"),
    [
        (b"", 1, "must not be empty"),
        (b"<!-- Written by `backstory sync` -->\n# X\n", 2, "must be the comment that begins with"),
        (b"# X\ntext\n", 2, "must stand below a heading"),
        (b"# X\n## Y\n- \xff\n", 3, "must be UTF-8"),
        (b'# X\n<!-- backstory {"project":5} -->\n', 2, "must be left as the sync wrote it"),
    ],
)
def test_a_page_that_is_none_is_named(data: bytes, line: int, rule: str) -> None:
    with pytest.raises(Malformed, match=rule) as refused:
        page_in(data)
    assert refused.value.line == line
