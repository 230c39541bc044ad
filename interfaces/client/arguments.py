"""Arguments of the library's methods, as they are in JSON and in queries."""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from backstory.application.context.result import Context
from backstory.domain.errors import InvalidInput, OnlyInProcess
from backstory.domain.messages.contents import Message, Part, text_bytes
from backstory.domain.messages.values import json_value
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.policies.settings import changed_settings
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.policies.tiers import TierPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.values import aware
from backstory.interfaces.documents.messages import NeutralMessageDocument, PartDocument

_POLICIES = (
    ArtifactPolicy | AssemblyPolicy | PruningPolicy | SafetyPolicy | SummaryPolicy | TierPolicy | WindowPolicy
)
KINDS: dict[type, str] = {WindowPolicy: "window", TierPolicy: "tiers", PruningPolicy: "pruning"}
"""The policies that a session can go by, and their names in JSON."""


def as_json(name: str, value: Any) -> Any:
    """An argument as JSON."""
    if isinstance(value, str):
        text_bytes(name, value)
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return json_value(value, name)
    if isinstance(value, Context):
        return _version_of(value)
    if isinstance(value, Message):
        return NeutralMessageDocument.of(value).as_json()
    if isinstance(value, Part):
        return PartDocument.of(value).as_json()
    if isinstance(value, _POLICIES):
        return _policy(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        moment = aware(name, value)
        return None if moment is None else moment.isoformat()
    if isinstance(value, UUID | Path | date):
        return str(value)
    if isinstance(value, BaseModel) and type(value).__module__.startswith("backstory."):
        return value.model_dump(mode="json")
    if isinstance(value, bytes):
        raise InvalidInput(name, "must be text")
    if isinstance(value, Mapping):
        return {str(key): as_json(f"{name}.{key}", inner) for key, inner in value.items()}
    if isinstance(value, Collection):
        return [as_json(f"{name}[{place}]", inner) for place, inner in enumerate(value)]
    # An object of a provider's SDK.
    return json_value(value, name)


def as_query(name: str, value: Any) -> Any:
    """An argument in a query: a text, or a list of texts."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return value
    plain = as_json(name, value)
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, list):
        return [as_query(name, inner) for inner in plain]
    return str(plain)


def _version_of(context: Context) -> int:
    if context.version is None:
        raise InvalidInput("context", "was a preview, and is not recorded")
    return context.version


def _policy(policy: Any) -> dict[str, Any]:
    kind = type(policy)
    told = {"name": policy.name, "version": policy.version, "settings": changed_settings(policy, kind())}
    return told | ({"kind": KINDS[kind]} if kind in KINDS else {})


def refuse_functions(name: str, value: Any) -> None:
    """Refuses an argument that can only be used beside the database."""
    if hasattr(value, "summarize"):
        raise OnlyInProcess(f"{name}: the service makes summaries with its own summarizer.")
    if callable(value):
        raise OnlyInProcess(f"{name}: a service cannot call a function of another process.")
