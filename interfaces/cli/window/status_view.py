"""A session's status on one screen: the ForgeMind document's monitoring dashboard."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.console import Group

from backstory.application.queries.status import Noted, SessionStatus, WindowStatus
from backstory.domain.policies.window import WindowPolicy
from backstory.interfaces.cli.output.layout import columns, line
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.wording import ERASED, ago, counted, moment, one_line, short_id, signed

BAR = 40
"""Characters of a window's bar."""
ZONE_STYLES = {"safe": "good", "warning": "altered", "danger": "bad", "critical": "bad"}
TIER_STYLES = {"HOT": "bad", "WARM": "altered", "COLD": "inherited"}


def status_view(status: SessionStatus, name: str, now: datetime) -> Group:
    """The dashboard."""
    about = [
        short_id(status.session),
        f"version {status.version:,}",
        status.status,
        f"began {ago(status.started_at, now)}",
        f"last activity {ago(status.last_activity, now)}",
    ]
    lines: list[Any] = [
        line((name, "heading")),
        line((" · ".join(about), "quiet")),
        Text(),
    ]
    for window in status.windows:
        lines += window_lines(window, status)
    lines += [Text(), columns(_rows(status, now), indent=0)]
    for heading, notes, mark in (
        ("newest decisions", status.last_decisions, "D"),
        ("open questions", status.open_questions, "Q"),
        ("pinned notes", status.notes, "ITEM-"),
    ):
        if notes:
            lines += [
                Text(),
                Text(heading, "heading"),
                columns([_note(mark, note) for note in notes], indent=2),
            ]
    return Group(*lines)


def window_lines(window: WindowStatus, status: SessionStatus) -> list[Text]:
    """A window as a bar, with the thresholds of its policy."""
    head = line((f"window {window.name}  ", "heading"))
    if window.limit is None or window.usage is None:
        head.append(f"{window.tokens:,} tokens in {counted(window.items, 'item')}, no limit", "quiet")
        return [head, *_prompt_lines(window)]
    style = ZONE_STYLES[window.zone]
    head.append_text(bar(window.usage, thresholds(status.policy), style))
    head.append(f"  {window.usage:.1%} ", style).append(window.zone, style)
    stubs = f", {counted(window.stubs, 'stub')}" if window.stubs else ""
    policy = f"policy {status.policy.name}/{status.policy.version}"
    under = (
        f"{window.tokens:,} of {window.limit:,} tokens in {counted(window.items, 'item')}{stubs} · {policy}"
    )
    return [head, line((under, "quiet"), indent=_indent(window)), *_prompt_lines(window)]


def _prompt_lines(window: WindowStatus) -> list[Text]:
    """The size of the newest prompt, beside that of the window."""
    if window.prompt_tokens is None:
        return []
    said = f"newest prompt {window.prompt_tokens:,} tokens of a budget of {window.prompt_budget:,}"
    return [line((said, "quiet"), indent=_indent(window))]


def _indent(window: WindowStatus) -> int:
    return len(f"window {window.name}  ")


def thresholds(policy: WindowPolicy) -> tuple[float, ...]:
    """The thresholds of a policy."""
    return (
        policy.stubs_from,
        policy.warning,
        policy.checkpoint_from,
        policy.danger,
        policy.low_space,
        policy.critical,
    )


def bar(usage: float, steps: Iterable[float], style: str) -> Text:
    """A bar for a share of 1. A tick marks a threshold that is not reached yet."""
    full = min(BAR, round(usage * BAR))
    ticks = {min(BAR - 1, int(step * BAR)) for step in steps}
    made = Text()
    for place in range(BAR):
        if place < full:
            made.append("█", style)
        else:
            made.append("│" if place in ticks else "░", "quiet")
    return made


def _rows(status: SessionStatus, now: datetime) -> list[list[Text]]:
    alerts = [f"{level} in {window.name}" for window in status.windows for level in window.alerts]
    tiers = Text()
    for name, tier in status.tiers.items():
        tiers.append("   " if tiers else "").append(name, TIER_STYLES[name])
        tiers.append(f" {tier.items:,} ({counted(tier.tokens, 'token')})")
    compacted = counted(status.compactions, "compaction")
    if status.last_compaction is not None:
        compacted += f", the newest {ago(status.last_compaction, now)}"
    checkpoint = "none" if status.last_checkpoint is None else f"version {status.last_checkpoint:,}"
    clarity = "unknown" if status.clarity is None else f"{status.clarity} %"
    if status.clarity_progress:
        clarity += f" ({signed(status.clarity_progress)})"
    health = (
        f"{counted(status.messages, 'message')} · {counted(status.commands, 'command')} · "
        f"{counted(status.errors, 'open error')} · clarity {clarity}"
    )
    rows = {
        "alerts": Text(", ".join(alerts), "bad") if alerts else Text("none", "good"),
        "tiers": tiers,
        "tracked": Text(
            f"{counted(status.decisions, 'decision')} · {counted(status.questions, 'open question')}"
        ),
        "compacted": Text(compacted),
        "checkpoint": Text(checkpoint),
        "work": Text(
            " · ".join(filter(None, [status.phase, status.current_task and f"task {status.current_task}"]))
            or "no phase, no task"
        ),
        "health": Text(health),
    }
    if status.artifacts:
        rows["artifacts"] = Text(", ".join(map(one_line, status.artifacts)))
    return [[Text(name, "quiet"), text] for name, text in rows.items()]


def _note(mark: str, note: Noted) -> list[Text]:
    text = Text(ERASED, "quiet") if note.text is None else Text(one_line(note.text))
    return [Text(f"{mark}{note.item}", "version"), Text(moment(note.at), "quiet"), text]
