"""How precisely decisions are noticed in public conversations, those of ../shared/data: precision and recall.

`data/noticing-labels.csv` names the messages by their places, without their texts: the number of the turn, line or
event. A message says a "decision" for the work or plan at hand, "none", or is "borderline": a summary of decisions
made elsewhere, a wish about the answers, a task. How it was drawn:

| drawn | from |
|---|---|
| net | messages with any of two dozen loose words ("keep", "should", "plan to"), and 40 of all; 200 |
| strong | messages with words that state decisions more often ("instead of", "we should", "let's"); 200 |
| found | all others in which these rules find a decision |

The first two were labelled before the rules were read, the third after: of it only precision is told. Rules were
mended on every other conversation of each file, beginning with the first; what they found in the others was read
once, to tell apart what people say of their own lives.
"""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from backstory.domain.decisions.statements import stated_decisions
from benchmarks.goals import Row

DATA = Path(__file__).parents[2] / "shared" / "data"
LABELS = Path(__file__).parent / "data" / "noticing-labels.csv"
GOAL = 0.9


class Said(NamedTuple):
    """A message of a conversation."""

    place: int
    role: str
    speaker: str
    text: str


def public_rows() -> Iterator[Row]:
    """A row for precision, and one for recall. None where the data is absent."""
    if not DATA.exists():
        yield Row("noticed in public conversations", f"not measured: {DATA} is absent", "–", None)
        return
    noticed = set(_noticed())
    outcomes: Counter[tuple[str, bool]] = Counter()
    found: Counter[str] = Counter()
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            is_noticed = (row["file"], row["conversation"], int(row["message"])) in noticed
            if row["drawn"] != "found":
                outcomes[row["label"], is_noticed] += 1
            if is_noticed:
                found[row["label"]] += 1
    right, missed = outcomes["decision", True], outcomes["decision", False]
    drawn = right + outcomes["borderline", True] + outcomes["none", True]
    told = (
        f"{right / max(1, drawn):.2f} of {drawn} found in {outcomes.total()}, borderline ones held against it"
    )
    yield Row("noticed in public conversations: precision", told, f"≥ {GOAL}", right >= GOAL * drawn)
    unlabelled = len(noticed) - found.total()
    every = (
        f"{found['decision'] / max(1, len(noticed)):.2f} of {len(noticed)}, {unlabelled} of them unlabelled"
    )
    yield Row("– of everything noticed there", every, f"≥ {GOAL}", found["decision"] >= GOAL * len(noticed))
    yield Row("– recall", f"{right / max(1, right + missed):.2f} of {right + missed}", "–", None)


def _noticed() -> Iterator[tuple[str, str, int]]:
    """The messages that state a decision. A user answers an agent if the last other speaker was one."""
    for file, conversation, messages in _conversations():
        other, last = "", Said(-1, "", "", "")
        for message in messages:
            if last.speaker != message.speaker:
                other = last.role
            last = message
            if stated_decisions(message.text, message.role, reply=other == "agent"):
                yield file, conversation, message.place


def _conversations() -> Iterator[tuple[str, str, list[Said]]]:
    for name in ("locomo-dev.json", "beam-dev.json"):
        for conversation in json.loads((DATA / name).read_text(encoding="utf-8")):
            yield name, conversation["id"], list(_turns(conversation["turns"]))
    for path in sorted((DATA / "claude-code-long").glob("*.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield f"claude-code-long/{path.name}", "", list(_lines(map(json.loads, lines)))
    with (DATA / "openhands-runs.jsonl").open(encoding="utf-8") as lines:
        for run in map(json.loads, lines):
            yield "openhands-runs.jsonl", run["instance_id"], list(_events(run["history"]))


def _turns(turns: Iterable[dict[str, Any]]) -> Iterator[Said]:
    for place, turn in enumerate(turns):
        role = "agent" if turn["speaker"] == "assistant" else "user"
        yield Said(place, role, turn["speaker"], turn["text"])


def _lines(lines: Iterable[dict[str, Any]]) -> Iterator[Said]:
    for place, line in enumerate(lines):
        message = line.get("message") or {}
        if line.get("isSidechain") or message.get("role") not in ("user", "assistant"):
            continue
        content = message["content"]
        if not isinstance(content, str):
            content = "\n".join(block["text"] for block in content if block.get("type") == "text")
        if content.strip():
            role = "agent" if message["role"] == "assistant" else "user"
            yield Said(place, role, role, content)


def _events(events: Iterable[dict[str, Any]]) -> Iterator[Said]:
    for place, event in enumerate(events):
        told = event.get("args") or {}
        text = (told.get("content") if event.get("action") == "message" else told.get("thought")) or ""
        if "action" in event and text.strip():
            role = "user" if event.get("source") == "user" else "agent"
            yield Said(place, role, role, text)
