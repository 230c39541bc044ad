"""Rules of a context document (`current-context.json`): it is complete, it is consistent, and no
decision was lost on the way from an earlier one. A check raises ContextInvalid, which names the field."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from backstory.domain.errors import ContextInvalid
from backstory.domain.state import DECISIONS_KEPT
from backstory.domain.values import is_whole_number

LAYER_NAMES = ("IDEA", "MODULE", "DOMAIN", "REQUIREMENT", "SPECIFICATION", "CODE")
"""The names of the project layers 0 to 5."""

REQUIRED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "metadata": ("timestamp", "session_id"),
        "role": ("agent", "agent_id", "mode"),
        "project": ("name", "current_layer", "clarity"),
        "context_window": ("usage_percent", "used_tokens"),
    }
)
"""The sections that a document must have, and the fields in each that must say something."""

ERASABLE = ("decision", "rationale", "alternatives_rejected", "impact")
"""The texts of a decision. A text may be erased, and is null from then on; it may not change."""

Document = Mapping[str, Any]


def check_context(context: Document, *, live_tokens: int | None = None) -> None:
    """The rules that one document has to keep by itself."""
    check_completeness(context)
    check_consistency(context, live_tokens=live_tokens)


def check_completeness(context: Document) -> None:
    """Every required section and field is there, and null in none of them."""
    for name, fields in REQUIRED.items():
        section = _section(context, name)
        for field in fields:
            _field(section, name, field)


def check_consistency(context: Document, *, live_tokens: int | None = None) -> None:
    """The used tokens are the sum of all live items, and the layer has its own name."""
    check_tokens(context, live_tokens=live_tokens)
    check_layer(context)


def check_tokens(context: Document, *, live_tokens: int | None = None) -> None:
    """The used tokens are the sum of all live items, to the token. An export lists each live item as loaded,
    so the sum is taken there; for a document that lists only some of them, `live_tokens` says it."""
    used = _field(_section(context, "context_window"), "context_window", "used_tokens")
    summed = _loaded_tokens(context) if live_tokens is None else live_tokens
    if used != summed:
        raise ContextInvalid(
            "context_window.used_tokens", f"is {used!r}, but the live items have {summed} tokens"
        )


def check_layer(context: Document) -> None:
    """The project's layer is one of 0 to 5 and is called by its name."""
    project = _section(context, "project")
    layer = _field(project, "project", "current_layer")
    if not is_whole_number(layer) or not 0 <= layer < len(LAYER_NAMES):
        raise ContextInvalid("project.current_layer", f"must be 0 to {len(LAYER_NAMES) - 1}, is {layer!r}")
    name = _field(project, "project", "layer_name")
    if name != LAYER_NAMES[layer]:
        raise ContextInvalid(
            "project.layer_name", f"must be {LAYER_NAMES[layer]} on layer {layer}, is {name!r}"
        )


def check_decisions_preserved(original: Document, current: Document, *, kept: int = DECISIONS_KEPT) -> None:
    """Every decision of the earlier document is in the later one, word for word, unless it was only noticed. A document
    has the newest `kept` decisions: one that newer ones have pushed out is in the record all the same, and not lost."""
    before = {name: row for name, row in _decisions(original).items() if row.get("immutable") is not False}
    after = _decisions(current)
    shown = [name for name in before if name in after]
    pushed_out = list(before)
    if shown:
        pushed_out = pushed_out[: pushed_out.index(shown[0])]
    for name in before:
        if name not in after and not (len(after) >= kept and name in pushed_out):
            raise ContextInvalid(f"recent_decisions[{name}]", "was lost")
    for name in shown:
        _check_unchanged(name, before[name], after[name])


def _check_unchanged(name: str, before: Document, after: Document) -> None:
    for field, value in before.items():
        now = after.get(field)
        if now != value and not (field in ERASABLE and _erased(value, now)):
            raise ContextInvalid(
                f"recent_decisions[{name}].{field}",
                f"was {value!r} and is now {now!r}: decisions never change",
            )


def _erased(before: Any, now: Any) -> bool:
    """Whether the later text, or each text of the later list that differs, is null."""
    if now is None:
        return True
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return all(new is None or new == old for old, new in zip(before, now, strict=True))
    return False


def _section(context: Document, name: str) -> Document:
    section = context.get(name)
    if not isinstance(section, Mapping):
        raise ContextInvalid(name, "is missing" if name not in context else "must be a section with fields")
    return section


def _field(section: Document, name: str, field: str) -> Any:
    if section.get(field) is None:
        raise ContextInvalid(f"{name}.{field}", "is missing" if field not in section else "must not be null")
    return section[field]


def _rows(context: Document, name: str) -> Sequence[Document]:
    rows = context.get(name, ())
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise ContextInvalid(name, "must be a list of sections with fields")
    return rows


def _loaded_tokens(context: Document) -> int:
    total = 0
    for place, artifact in enumerate(_rows(context, "loaded_artifacts")):
        if artifact.get("loaded"):
            tokens = _field(artifact, f"loaded_artifacts[{place}]", "tokens")
            if not is_whole_number(tokens):
                raise ContextInvalid(
                    f"loaded_artifacts[{place}].tokens", f"must be a whole number, is {tokens!r}"
                )
            total += tokens
    return total


def _decisions(context: Document) -> dict[str, Document]:
    return {
        str(_field(row, f"recent_decisions[{place}]", "id")): row
        for place, row in enumerate(_rows(context, "recent_decisions"))
    }
