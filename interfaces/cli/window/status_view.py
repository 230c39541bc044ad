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


def status_view(found: SessionStatus, now: datetime) -> Group:
    """The dashboard."""
    about = [
        short_id(found.session),
        f"version {found.version:,}",
        found.status,
        f"began {ago(found.started_at, now)}",
        f"last activity {ago(found.last_activity, now)}",
    ]
    lines: list[Any] = [
        line((one_line(found.title or "(no title)"), "heading")),
        line((" · ".join(about), "quiet")),
        Text(),
    ]
    for window in found.windows:
        lines += window_lines(window, found)
    lines += [Text(), columns(_rows(found, now), indent=0)]
    for heading, notes, mark in (
        ("newest decisions", found.last_decisions, "D"),
        ("open questions", found.open_questions, "Q"),
        ("pinned notes", found.notes, "ITEM-"),
    ):
        if notes:
            lines += [
                Text(),
                Text(heading, "heading"),
                columns([_note(mark, note) for note in notes], indent=2),
            ]
    return Group(*lines)


def window_lines(window: WindowStatus, found: SessionStatus) -> list[Text]:
    """A window as a bar, with the thresholds of its policy."""
    head = line((f"window {window.name}  ", "heading"))
    if window.limit is None or window.usage is None:
        head.append(f"{window.tokens:,} tokens in {counted(window.items, 'item')}, no limit", "quiet")
        return [head, *_prompt_lines(window)]
    style = ZONE_STYLES[window.zone]
    head.append_text(bar(window.usage, thresholds(found.policy), style))
    head.append(f"  {window.usage:.1%} ", style).append(window.zone, style)
    stubs = f", {counted(window.stubs, 'stub')}" if window.stubs else ""
    policy = f"policy {found.policy.name}/{found.policy.version}"
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


def _rows(found: SessionStatus, now: datetime) -> list[list[Text]]:
    alerts = [f"{level} in {window.name}" for window in found.windows for level in window.alerts]
    tiers = Text()
    for name, tier in found.tiers.items():
        tiers.append("   " if tiers else "").append(name, TIER_STYLES[name])
        tiers.append(f" {tier.items:,} ({counted(tier.tokens, 'token')})")
    compacted = counted(found.compactions, "compaction")
    if found.last_compaction is not None:
        compacted += f", the newest {ago(found.last_compaction, now)}"
    checkpoint = "none" if found.last_checkpoint is None else f"version {found.last_checkpoint:,}"
    clarity = "unknown" if found.clarity is None else f"{found.clarity} %"
    if found.clarity_progress:
        clarity += f" ({signed(found.clarity_progress)})"
    health = (
        f"{counted(found.messages, 'message')} · {counted(found.commands, 'command')} · "
        f"{counted(found.errors, 'open error')} · clarity {clarity}"
    )
    rows = {
        "alerts": Text(", ".join(alerts), "bad") if alerts else Text("none", "good"),
        "tiers": tiers,
        "tracked": Text(
            f"{counted(found.decisions, 'decision')} · {counted(found.questions, 'open question')}"
        ),
        "compacted": Text(compacted),
        "checkpoint": Text(checkpoint),
        "work": Text(
            " · ".join(filter(None, [found.phase, found.current_task and f"task {found.current_task}"]))
            or "no phase, no task"
        ),
        "health": Text(health),
    }
    return [[Text(name, "quiet"), text] for name, text in rows.items()]


def _note(mark: str, note: Noted) -> list[Text]:
    text = Text(ERASED, "quiet") if note.text is None else Text(one_line(note.text))
    return [Text(f"{mark}{note.item}", "version"), Text(moment(note.at), "quiet"), text]
