"""Values whose documents have other fields than they: items, events, contexts, states, messages."""

import base64
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID

from backstory.application.contents.erasure import Erased, ErasedContent
from backstory.application.context.result import Context, Reproduction
from backstory.application.queries.session_list import SessionSummary
from backstory.application.window.results import ExpandedItem
from backstory.domain.context.pieces import PromptPiece
from backstory.domain.effects import Effects
from backstory.domain.errors import SchemaMismatch
from backstory.domain.events import Event, Section
from backstory.domain.events.base import UnknownBody, decode_body
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.ranges import as_ranges
from backstory.domain.messages.contents import Message, Part
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.tasks.budget import TokenBreakdown
from backstory.domain.tasks.context import TaskContext
from backstory.domain.trust import Trust
from backstory.domain.values import microseconds
from backstory.domain.window.priorities import KeepPriority
from backstory.domain.window.pruning import Ranked
from backstory.interfaces.client.results import by_fields, reads
from backstory.interfaces.documents.messages import NeutralMessageDocument, PartDocument


@reads(Item)
def _item(document: Any) -> Item:
    return Item(
        id=document["item"],
        type=document["type"],
        tokens=document["tokens"],
        importance=document["importance"],
        tier=document["tier"],
        windows=tuple(document["windows"]),
        brought=microseconds(datetime.fromisoformat(document["brought_at"])),
        touched=microseconds(datetime.fromisoformat(document["touched_at"])),
        accesses=document["accesses"],
        changed=document["changed"],
        versions=tuple(document["versions"]),
        role=document["role"],
        agent=document["agent"],
        private=document["private"],
        task=document["task"],
        references=tuple(document["references"]),
        encoding=document["encoding"],
        recounts=document["recounts"],
        origin=document["origin"],
        trust=int(Trust[document["trust"].upper()]),
        quarantined=document["quarantined"],
        flags=tuple(document["flags"]),
    )


@reads(Event)
def _event(document: Any) -> Event:
    payload = document["payload"]
    data = b"" if payload is None else json.dumps(payload, ensure_ascii=False).encode()
    body = decode_body(document["type"], document["schema_version"], data)
    if payload is None:
        body = UnknownBody(payload=b"")
    return Event(
        stream=UUID(document["session"]),
        version=document["version"],
        type=document["type"],
        schema_version=document["schema_version"],
        recorded_at=datetime.fromisoformat(document["recorded_at"]),
        occurred_at=datetime.fromisoformat(document["occurred_at"]),
        actor=document["actor"],
        caller=document["caller"],
        cause=document["cause"],
        epoch=document["epoch"],
        body=body,
        effects=Effects.model_validate_json(json.dumps(document["effects"])),
    )


@reads(Context)
def _context(document: Any) -> Context:
    prompt = document["prompt"]
    shown = json.loads(prompt) if document["format"] != "markdown" else {}
    if isinstance(shown, list):
        shown = {"messages": shown}
    return Context(
        version=document["version"],
        at=document["at"],
        format=document["format"],
        messages=shown.get("messages", []),
        system=shown.get("system"),
        text=prompt if document["format"] == "markdown" else None,
        tokens=document["tokens"],
        budget=document["budget"],
        reserve=document["reserve"],
        sections=tuple(map(_section, document["sections"])),
        left_out=MappingProxyType(document["left_out"]),
        data=prompt.encode(),
        sha256=document["sha256"],
        tools=document["tools"],
        estimated_tokens=document["estimated_tokens"],
        session=UUID(document["session"]),
        pieces=tuple(PromptPiece(**piece) for piece in document["pieces"] or ()),
    )


@reads(TaskContext)
def _task_context(document: Any) -> TaskContext:
    prompt = document["prompt"]
    shown = json.loads(prompt) if document["format"] != "markdown" else {}
    if isinstance(shown, list):
        shown = {"messages": shown}
    made = {
        "messages": shown.get("messages", []),
        "system": shown.get("system"),
        "text": prompt if document["format"] == "markdown" else None,
        "data": prompt.encode().hex(),
        "conversation_history": [],
    }
    context: TaskContext = by_fields(TaskContext)({**document, **made})
    return context


@reads(TokenBreakdown)
def _breakdown(document: Any) -> TokenBreakdown:
    return TokenBreakdown(**{name: document[name] for name in TokenBreakdown._fields})


@reads(Section)
def _section(document: Any) -> Section:
    return Section(
        name=document["name"],
        tokens=document["tokens"],
        items=as_ranges(document["items"]),
        shown=document["shown"],
        further=as_ranges(document["further"]),
    )


@reads(Reproduction)
def _reproduction(document: Any) -> Reproduction:
    context = None
    if document["prompt"] is not None:
        rebuilt = document | {
            "sha256": document["found"],
            "estimated_tokens": document.get("estimated_tokens"),
        }
        context = _context(rebuilt)
    plain: Reproduction = by_fields(Reproduction)(document | {"context": None})
    return replace(plain, context=context)


@reads(ContextState)
def _state(document: Any) -> ContextState:
    if document["fold_version"] != FOLD_VERSION:
        raise SchemaMismatch(
            f"the service folds states by version {document['fold_version']}, and this client reads version "
            f"{FOLD_VERSION}: use the same version of Backstory."
        )
    return ContextState.decode(base64.b64decode(document["data"]))


@reads(Message)
def _message(document: Any) -> Message:
    return NeutralMessageDocument.model_validate(document).message("message")


@reads(Part)
def _part(document: Any) -> Part:
    return PartDocument.model_validate(document).part("part")


@reads(Ranked)
def _ranked(document: Any) -> Ranked:
    return Ranked(**document | {"priority": int(KeepPriority[document["priority"].upper()])})


@reads(ExpandedItem)
def _expanded(document: Any) -> ExpandedItem:
    return ExpandedItem(
        document["item"], document["type"], document["role"], tuple(map(_message, document["messages"]))
    )


@reads(Erased)
def _erased(document: Any) -> Erased:
    def contents(name: str) -> tuple[ErasedContent, ...]:
        return tuple(
            ErasedContent(UUID(each["session"]), each["version"], each["part"], each["project"])
            for each in document[name]
        )

    events = {UUID(stream): version for stream, version in document["events"].items()}
    return Erased(events, contents("erased"), contents("derived"), tuple(map(Path, document["files"])))


@reads(SessionSummary)
def _summary(document: Any) -> SessionSummary:
    summary: SessionSummary = by_fields(SessionSummary)(document | {"id": document["session"]})
    return summary
