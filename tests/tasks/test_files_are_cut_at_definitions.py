"""A file that does not fit is cut to whole definitions, and says what is left out."""

from pathlib import Path

from hypothesis import given, strategies as st

from backstory import ContextSystem
from backstory.domain.tasks.budget import TokenBudgeter
from backstory.domain.tasks.excerpt import Block, choose_blocks
from tests.tasks.conftest import write

COUNT = TokenBudgeter.estimate_tokens


def test_the_definitions_that_the_task_is_about_stay_whole(system: ContextSystem, folder: Path) -> None:
    body = "    value = compute(everything)\n" * 30
    parts = [f"def helper_{n}():\n    '''Does thing {n}.'''\n{body}\n\n" for n in range(60)]
    parts[41] = f"def round_voucher_total():\n    '''Rounds the total of vouchers.'''\n{body}\n\n"
    write(folder, "shop/long.py", "import math\n\n\n" + "".join(parts))
    context = system.manager.build_fresh_context(
        {"id": "T", "name": "Round the voucher total", "files": ["shop/long.py"]}, {"max_tokens": 26_000}
    )
    file = context.relevant_files[0]
    assert file.path == "shop/long.py"
    assert file.truncated
    assert file.content.startswith("import math")
    assert parts[41].strip() in file.content
    assert "lines left out: helper_42, helper_43" in file.content
    for piece in file.content.split("def ")[1:]:
        assert piece.count("compute(everything)") == 30


def test_files_that_the_task_names_get_fair_shares(system: ContextSystem, folder: Path) -> None:
    write(folder, "shop/huge.py", "".join(f"def huge_{n}():\n    return {n}\n\n\n" for n in range(5_000)))
    write(folder, "shop/small.py", "def small():\n    return 1\n")
    context = system.manager.build_fresh_context(
        {"id": "T", "name": "Compare", "files": ["shop/huge.py", "shop/small.py"]}, {"max_tokens": 26_000}
    )
    by_path = {one.path: one for one in context.relevant_files}
    assert by_path["shop/huge.py"].truncated
    assert not by_path["shop/small.py"].truncated


@given(
    sizes=st.lists(st.integers(1, 8), min_size=1, max_size=12),
    gaps=st.lists(st.integers(0, 3), min_size=13, max_size=13),
    scores=st.lists(st.floats(0, 1), min_size=12, max_size=12),
    most=st.integers(0, 200),
)
def test_an_excerpt_fits_and_holds_whole_blocks(
    sizes: list[int], gaps: list[int], scores: list[float], most: int
) -> None:
    blocks, at = [], 1
    for place, size in enumerate(sizes):
        at += gaps[place]
        blocks.append(Block(at, at + size - 1, scores[place], f"d{place}"))
        at += size
    lines = [f"line {number}" for number in range(1, at + gaps[-1])]
    excerpt = choose_blocks(lines, blocks, most, COUNT)
    if excerpt is None:
        return
    shown = excerpt.of(lines)
    assert COUNT(shown) <= most
    for block in blocks:
        inside = [first <= block.first and block.last <= last for first, last in excerpt.ranges]
        outside = [last < block.first or block.last < first for first, last in excerpt.ranges]
        assert any(inside) or all(outside)
    kept = sum(last - first + 1 for first, last in excerpt.ranges)
    told = sum(int(note.split()[1].replace(",", "")) for note in excerpt.notes)
    assert kept + told == len(lines)
