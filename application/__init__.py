"""Backstory: an event-sourced context store for LLM agents.

Names are loaded when they are first asked for (PEP 562), so that importing one part of the package, above all
the domain, does not load the database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backstory.aio import (
        AsyncContextStore as AsyncContextStore,
        AsyncSession as AsyncSession,
        AsyncTransaction as AsyncTransaction,
    )
    from backstory.diff import (
        Diff as Diff,
    )
    from backstory.domain.contents import (
        Message as Message,
        Part as Part,
    )
    from backstory.domain.effects import (
        Effects as Effects,
        NewItem as NewItem,
        Removal as Removal,
    )
    from backstory.domain.errors import (
        BackstoryError as BackstoryError,
        BranchMoved as BranchMoved,
        Conflict as Conflict,
        ContentErased as ContentErased,
        ContextInvalid as ContextInvalid,
        ForksDepend as ForksDepend,
        IdempotencyConflict as IdempotencyConflict,
        InvalidInput as InvalidInput,
        InvalidMessage as InvalidMessage,
        ItemNotLive as ItemNotLive,
        ItemsChanged as ItemsChanged,
        NoLiveCall as NoLiveCall,
        NotFound as NotFound,
        OutcomeUnknown as OutcomeUnknown,
        Refused as Refused,
        SchemaMismatch as SchemaMismatch,
        ServerUnavailable as ServerUnavailable,
        SessionBusy as SessionBusy,
        SessionEnded as SessionEnded,
        Unavailable as Unavailable,
        UnknownEncoding as UnknownEncoding,
        UnknownItem as UnknownItem,
        UnknownSession as UnknownSession,
        UnknownVersion as UnknownVersion,
        VerificationFailed as VerificationFailed,
        VersionConflict as VersionConflict,
    )
    from backstory.domain.events import (
        Change as Change,
        Event as Event,
        EventBody as EventBody,
    )
    from backstory.domain.records import (
        Item as Item,
    )
    from backstory.domain.references import (
        ContentRef as ContentRef,
    )
    from backstory.domain.state import (
        ContextState as ContextState,
    )
    from backstory.domain.values import (
        Priority as Priority,
        Role as Role,
        Tier as Tier,
    )
    from backstory.drafts import (
        Draft as Draft,
    )
    from backstory.infrastructure.tokens import (
        count_tokens as count_tokens,
    )
    from backstory.read_models import (
        SessionSummary as SessionSummary,
    )
    from backstory.session import (
        Session as Session,
    )
    from backstory.store import (
        ContextStore as ContextStore,
    )
    from backstory.transaction import (
        Transaction as Transaction,
    )
    from backstory.verification import (
        StoreVerification as StoreVerification,
        Verification as Verification,
    )

__version__ = "0.1.0"

_EXPORTS = {
    "ContextStore": "backstory.store",
    "AsyncContextStore": "backstory.aio",
    "Session": "backstory.session",
    "AsyncSession": "backstory.aio",
    "Transaction": "backstory.transaction",
    "AsyncTransaction": "backstory.aio",
    "ContextState": "backstory.domain.state",
    "Event": "backstory.domain.events",
    "EventBody": "backstory.domain.events",
    "Change": "backstory.domain.events",
    "ContentRef": "backstory.domain.references",
    "Effects": "backstory.domain.effects",
    "NewItem": "backstory.domain.effects",
    "Removal": "backstory.domain.effects",
    "Item": "backstory.domain.records",
    "Message": "backstory.domain.contents",
    "Part": "backstory.domain.contents",
    "Draft": "backstory.drafts",
    "count_tokens": "backstory.infrastructure.tokens",
    "Diff": "backstory.diff",
    "Verification": "backstory.verification",
    "StoreVerification": "backstory.verification",
    "SessionSummary": "backstory.read_models",
    "Priority": "backstory.domain.values",
    "Role": "backstory.domain.values",
    "Tier": "backstory.domain.values",
    "BackstoryError": "backstory.domain.errors",
    "InvalidInput": "backstory.domain.errors",
    "InvalidMessage": "backstory.domain.errors",
    "UnknownEncoding": "backstory.domain.errors",
    "NotFound": "backstory.domain.errors",
    "UnknownSession": "backstory.domain.errors",
    "UnknownVersion": "backstory.domain.errors",
    "UnknownItem": "backstory.domain.errors",
    "Refused": "backstory.domain.errors",
    "ItemNotLive": "backstory.domain.errors",
    "NoLiveCall": "backstory.domain.errors",
    "SessionEnded": "backstory.domain.errors",
    "ContentErased": "backstory.domain.errors",
    "ForksDepend": "backstory.domain.errors",
    "ContextInvalid": "backstory.domain.errors",
    "Conflict": "backstory.domain.errors",
    "VersionConflict": "backstory.domain.errors",
    "ItemsChanged": "backstory.domain.errors",
    "BranchMoved": "backstory.domain.errors",
    "IdempotencyConflict": "backstory.domain.errors",
    "SessionBusy": "backstory.domain.errors",
    "Unavailable": "backstory.domain.errors",
    "ServerUnavailable": "backstory.domain.errors",
    "OutcomeUnknown": "backstory.domain.errors",
    "SchemaMismatch": "backstory.domain.errors",
    "VerificationFailed": "backstory.domain.errors",
}

__all__ = [
    "ContextStore",
    "AsyncContextStore",
    "Session",
    "AsyncSession",
    "Transaction",
    "AsyncTransaction",
    "ContextState",
    "Event",
    "EventBody",
    "Change",
    "ContentRef",
    "Effects",
    "NewItem",
    "Removal",
    "Item",
    "Message",
    "Part",
    "Draft",
    "count_tokens",
    "Diff",
    "Verification",
    "StoreVerification",
    "SessionSummary",
    "Priority",
    "Role",
    "Tier",
    "BackstoryError",
    "InvalidInput",
    "InvalidMessage",
    "UnknownEncoding",
    "NotFound",
    "UnknownSession",
    "UnknownVersion",
    "UnknownItem",
    "Refused",
    "ItemNotLive",
    "NoLiveCall",
    "SessionEnded",
    "ContentErased",
    "ForksDepend",
    "ContextInvalid",
    "Conflict",
    "VersionConflict",
    "ItemsChanged",
    "BranchMoved",
    "IdempotencyConflict",
    "SessionBusy",
    "Unavailable",
    "ServerUnavailable",
    "OutcomeUnknown",
    "SchemaMismatch",
    "VerificationFailed",
    "__version__",
]


def __getattr__(name: str) -> Any:
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
