"""Hooks are put into settings and taken out again, and nothing else changes."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as any_

from backstory.application.capture.install import (
    EVENTS,
    hook_command,
    installed_events,
    planned_install,
    planned_removal,
    write,
)
from backstory.domain.errors import InvalidInput, Refused

OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint --all"}]}
HOOKS = Path("/state/hooks")

json_values = any_.recursive(
    any_.none() | any_.booleans() | any_.integers() | any_.text(),
    lambda inner: any_.lists(inner, max_size=3) | any_.dictionaries(any_.text(), inner, max_size=3),
    max_leaves=8,
)
groups = any_.lists(any_.just(OTHER) | any_.just({"hooks": []}), min_size=1, max_size=2)
hooks_of_others = any_.dictionaries(any_.sampled_from((*EVENTS, "Notification")), groups, min_size=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "settings.json"


def install(file: Path) -> None:
    write(planned_install("claude-code", file, HOOKS))


@given(
    any_.dictionaries(any_.text().filter(lambda key: key != "hooks"), json_values, max_size=3),
    hooks_of_others | any_.none(),
    any_.sampled_from([None, 0, 2, 4, "\t"]),
    any_.sampled_from(["\n", "\r\n"]),
)
def test_putting_in_and_taking_out_leaves_every_byte(
    tmp_path_factory: pytest.TempPathFactory,
    other: dict[str, Any],
    hooks: dict[str, Any] | None,
    indent: int | str | None,
    line_end: str,
) -> None:
    file = tmp_path_factory.mktemp("s") / "settings.json"
    settings = other if hooks is None else {**other, "hooks": hooks}
    before = (json.dumps(settings, indent=indent).replace("\n", line_end) + line_end).encode()
    file.write_bytes(before)
    install(file)
    between = json.loads(file.read_bytes())
    assert {key: value for key, value in between.items() if key != "hooks"} == other
    for event, theirs in (hooks or {}).items():
        assert between["hooks"][event][: len(theirs)] == theirs
    assert installed_events(file, HOOKS) == tuple(sorted(EVENTS))
    assert not planned_install("claude-code", file, HOOKS).changes
    write(planned_removal(file, HOOKS))
    assert file.read_bytes() == before


def test_a_file_is_made_where_there_was_none(file: Path) -> None:
    install(file)
    for event, timeout in (("Stop", 5), ("SessionEnd", 3)):
        (group,) = json.loads(file.read_text())["hooks"][event]
        command = hook_command("claude-code", HOOKS)
        assert group == {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}


def test_a_hook_of_another_python_is_replaced(file: Path) -> None:
    install(file)
    file.write_text(file.read_text().replace("-I -S -B", "-I"))
    install(file)
    assert all(
        [handler["command"] for group in groups for handler in group["hooks"]]
        == [hook_command("claude-code", HOOKS)]
        for groups in json.loads(file.read_text())["hooks"].values()
    )


def test_a_hook_that_was_moved_into_a_group_of_others_is_taken_out_alone(file: Path) -> None:
    install(file)
    settings = json.loads(file.read_text())
    ours = settings["hooks"]["Stop"][0]["hooks"][0]
    settings["hooks"] = {"Stop": [{"matcher": "", "hooks": [*OTHER["hooks"], ours]}]}
    file.write_text(json.dumps(settings))
    write(planned_removal(file, HOOKS))
    assert json.loads(file.read_text()) == {"hooks": {"Stop": [{"matcher": "", "hooks": OTHER["hooks"]}]}}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (b'{"hooks": {},}', "line 1, column"),
        (b"// mine\n{}", "line 1"),
        (b"[]", "must be a JSON object"),
        (b'{"hooks": []}', "not lists by event"),
        (b'{"hooks": {"Stop": {}}}', "not lists by event"),
        (b"\xff{}", "not UTF-8"),
        (b"[" * 100_000, "settings"),
    ],
)
def test_what_is_no_settings_is_refused_and_stays(file: Path, text: bytes, rule: str) -> None:
    file.parent.mkdir()
    file.write_bytes(text)
    for plan in (lambda: planned_install("claude-code", file, HOOKS), lambda: planned_removal(file, HOOKS)):
        with pytest.raises(InvalidInput, match=rule):
            plan()
    assert file.read_bytes() == text


def test_a_link_stays_a_link_and_the_mode_is_kept(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}\n")
    kept.chmod(0o640)
    file.parent.mkdir()
    file.symlink_to(kept)
    install(file)
    assert file.is_symlink()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert "hook.py" in kept.read_text()


def test_a_change_by_somebody_else_in_between_is_not_overwritten(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("{}")
    change = planned_install("claude-code", file, HOOKS)
    file.write_text('{"model": "opus"}')
    with pytest.raises(Refused):
        write(change)
    assert file.read_text() == '{"model": "opus"}'
    assert [one.name for one in file.parent.iterdir()] == [file.name]
