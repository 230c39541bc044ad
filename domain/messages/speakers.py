"""The conversation as one of its agents hears it.

| who said it | the agent hears |
|---|---|
| itself | an answer of its own. A provider's message keeps its role: there it was chosen |
| another agent | a user's message with that agent's name; its calls and their results in words |
| a person with a name | a user's message with that name |
| nobody who is named | the message as it is |

A context that is made for no agent has answers as answers, whoever gave them.
"""

from collections.abc import Sequence
from dataclasses import replace

from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.prose import prose

_IN_WORDS = ("text", "json", "thinking", "tool_use", "tool_result")


def as_heard(messages: Sequence[Message], speaker: str | None, hearer: str | None) -> Sequence[Message]:
    """The messages of one item, as an agent hears them. The same object where that changes nothing."""
    roles = {message.role for message in messages}
    if speaker is None or "system" in roles:
        return messages
    if speaker == hearer:
        if all(message.role != "user" or message.format is not None for message in messages):
            return messages
        return [_own(message) for message in messages]
    if roles == {"user"}:
        return [replace(message, name=speaker) for message in messages]
    if hearer is None:
        return messages
    return [Message("user", _quoted(messages), name=speaker)]


def _own(message: Message) -> Message:
    return replace(message, role="agent") if message.role == "user" and message.format is None else message


def _quoted(messages: Sequence[Message]) -> tuple[Part, ...]:
    """The parts of messages for another reader: images and the like as they are, all else as text."""
    parts: list[Part] = []
    for part in (part for message in messages for part in message.parts):
        if part.kind not in _IN_WORDS:
            parts.append(Part(part.kind, part.data, part.media_type))
        elif text := prose(part):
            before = parts.pop().data.decode() + "\n" if parts and parts[-1].kind == "text" else ""
            parts.append(Part("text", (before + text).encode()))
    return tuple(parts)
