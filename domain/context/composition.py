"""The parts of a context put together in the form that a provider takes, and the exact bytes of that.

It belongs to renderer 1: a change of the bytes is a new version.
"""

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pydantic_core import to_json

from backstory.domain.errors import InvalidInput
from backstory.domain.messages import anthropic, openai, requested
from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import prose

FORMATS = ("openai", "anthropic", "markdown", "parts")
PROVIDERS = (openai.FORMAT, anthropic.FORMAT)
NOT_SHOWN = "(Earlier messages are not shown.)"
"""The first message of a conversation that would begin with an answer: Anthropic's API wants a user first."""


class Rendered(NamedTuple):
    """An item's messages in a provider's format, and their JSON. Callers get copies, which they may change; of a `flat`
    one, which holds nothing but texts, a shallow copy is enough."""

    json: bytes
    messages: tuple[dict[str, Any], ...]
    flat: bool

    def copies(self) -> list[dict[str, Any]]:
        return [one.copy() for one in self.messages] if self.flat else _deep_copy(list(self.messages))


class ConversationItem(NamedTuple):
    """One item of the conversation: its messages, its text for a format that is text, and its rendered messages for a
    provider's format, if they are made already."""

    item: int
    messages: Sequence[Message]
    text: str = ""
    rendered: Rendered | None = None
    speaker: str | None = None


class Composed(NamedTuple):
    """The context as a provider takes it, and its bytes."""

    messages: list[dict[str, Any]]
    system: str | list[dict[str, Any]] | None
    text: str | None
    data: bytes
    parts: "ContextParts"


class ContextParts(NamedTuple):
    """The parts of a context. `lead` and `tail` are the texts before and after the conversation, with their parts'
    names. The task is a message of its own between lead and conversation. The tail is framed and has the user's role:
    it quotes tools and people, whose words must not pass for the system's."""

    system: Sequence[ConversationItem]
    lead: Sequence[tuple[str, str]]
    task: str
    history: Sequence[ConversationItem]
    tail: Sequence[tuple[str, str]]
    frame: tuple[str, str]


def compose(format: str, parts: ContextParts) -> Composed:
    return _COMPOSERS[checked_format(format)](parts)


def checked_format(format: str) -> str:
    if format not in FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(FORMATS)}, got {format!r}")
    return format


def rendered_item(format: str, messages: Sequence[Message]) -> Rendered:
    """An item's messages in a provider's format."""
    made = rendered(format, messages)
    flat = all(isinstance(value, str) for one in made for value in one.values())
    return Rendered(b",".join(map(_encode, made)), tuple(made), flat)


def size_of_rendered(made: Rendered) -> int:
    return 3 * len(made.json)


def _conversation(
    format: str, history: Sequence[ConversationItem]
) -> tuple[list[dict[str, Any]], list[bytes]]:
    """A conversation in a provider's format: messages that the caller may change, and the JSON of each item."""
    messages: list[dict[str, Any]] = []
    texts: list[bytes] = []
    for said in history:
        known = said.rendered or rendered_item(format, said.messages)
        messages += known.copies()
        if known.json:
            texts.append(known.json)
    return messages, texts


def rendered(format: str, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages of one item, as the provider's API accepts them."""
    if format == anthropic.FORMAT:
        # Only the beginning of a conversation has a place for the system's.
        messages = [
            Message("user", (Part("text", f"[system] {_prose(message)}".encode()),))
            if message.role == "system"
            else message
            for message in messages
        ]
    return requested(messages, format)


def _openai(parts: ContextParts) -> Composed:
    prompts = [one for said in parts.system for one in rendered(openai.FORMAT, said.messages)]
    texts = [text for _, text in parts.lead]
    if all(set(one) == {"role", "content"} and isinstance(one["content"], str) for one in prompts):
        # One system message, since some servers take no more than one.
        texts = [*(one["content"] for one in prompts), *texts]
        prompts = []
    if texts:
        prompts.append({"role": "system", "content": "\n\n".join(texts)})
    history, in_json = _conversation(openai.FORMAT, parts.history)
    task, tail = _by_user(parts.task), _by_user(_framed(parts.tail, parts.frame))
    joined = b",".join([*map(_encode, (*prompts, *task)), *in_json, *map(_encode, tail)])
    return Composed([*prompts, *task, *history, *tail], None, None, b"[%b]" % joined, parts)


def _by_user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}] if text else []


def _anthropic(parts: ContextParts) -> Composed:
    blocks: list[Any] = []
    for one in [one for said in parts.system for one in requested(said.messages, anthropic.FORMAT)]:
        blocks += [one["content"]] if isinstance(one["content"], str) else one["content"]
    blocks += [text for _, text in parts.lead]
    prompt: str | list[dict[str, Any]]
    if all(isinstance(block, str) for block in blocks):
        prompt = "\n\n".join(blocks)
    else:
        prompt = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    history, in_json = _conversation(anthropic.FORMAT, parts.history)
    lead = _by_user(parts.task)
    if history and not lead and history[0]["role"] != "user":
        lead = _by_user(NOT_SHOWN)
    tail = _by_user(_framed(parts.tail, parts.frame))
    joined = b",".join([*map(_encode, lead), *in_json, *map(_encode, tail)])
    data = b'{"system":%b,"messages":[%b]}' % (_encode(prompt), joined)
    return Composed([*lead, *history, *tail], prompt, None, data, parts)


def _markdown(parts: ContextParts) -> Composed:
    blocks = [_prose(message) for said in parts.system for message in said.messages]
    blocks += [text for _, text in parts.lead]
    blocks += [parts.task] if parts.task else []
    if parts.history:
        blocks += ["## Recent conversation", *(said.text for said in parts.history)]
    blocks += [text for _, text in parts.tail]
    text = "\n\n".join(blocks)
    return Composed([], None, text, text.encode(), parts)


def _parts(parts: ContextParts) -> Composed:
    entries = [
        *neutral("system", parts.system),
        *({"section": name, "text": text} for name, text in parts.lead),
        *([{"section": "task", "text": parts.task}] if parts.task else []),
        *neutral("history", parts.history),
        *({"section": name, "text": text} for name, text in parts.tail),
    ]
    return Composed(entries, None, None, _encode(entries), parts)


def neutral(section: str, said: Sequence[ConversationItem]) -> list[dict[str, Any]]:
    """The messages of a section in the format `parts`."""
    return [
        {
            "section": section,
            "item": one.item,
            "role": message.role,
            **({"speaker": one.speaker} if one.speaker else {}),
            "parts": [*map(_part, message.parts)],
        }
        for one in said
        for message in one.messages
    ]


def _part(part: Part) -> dict[str, Any]:
    piece: dict[str, Any] = {"kind": part.kind, "media_type": part.media_type}
    if part.call_id is not None:
        piece["call_id"] = part.call_id
    if part.name is not None:
        piece["name"] = part.name
    try:
        piece["text"] = part.data.decode()
    except UnicodeDecodeError:
        piece["base64"] = base64.b64encode(part.data).decode()
    if part.extras is not None:
        piece["extras"] = json.loads(part.extras)
    return piece


def _framed(tail: Sequence[tuple[str, str]], frame: tuple[str, str]) -> str:
    opens, closes = frame
    if not tail:
        return ""
    return "\n\n".join(filter(None, [opens, *(text for _, text in tail), closes]))


def _prose(message: Message) -> str:
    return "\n".join(filter(None, map(prose, message.parts)))


def _deep_copy(value: Any) -> Any:
    """A copy of a JSON object or list, in a fraction of the time of `copy.deepcopy`."""
    copied = value.copy()
    for place, held in copied.items() if isinstance(copied, dict) else enumerate(copied):
        if isinstance(held, dict | list):
            copied[place] = _deep_copy(held)
    return copied


_in_json: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _encode(value: Any) -> bytes:
    """The value as compact JSON. Texts, which are nearly all bytes, take the faster encoder; it writes some numbers
    otherwise, so the rest stays with the standard one."""
    if isinstance(value, str):
        return to_json(value)
    if isinstance(value, dict) and tuple(value) == ("role", "content") and isinstance(value["content"], str):
        return b'{"role":%b,"content":%b}' % (to_json(value["role"]), to_json(value["content"]))
    return _in_json(value).encode()


_COMPOSERS: dict[str, Callable[[ContextParts], Composed]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "markdown": _markdown,
    "parts": _parts,
}
