"""Texts that read like instructions to a model: found by what such texts say, whoever they are from.

A filter like this one errs both ways: it is for marking, and for those who would rather quarantine too much. Trust does
not depend on it.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from backstory.domain.text.pattern import pattern

INSTRUCTIONS = "instructions"
"""The flag of an item that reads like instructions."""


class _Saying(NamedTuple):
    """Something that instructions say. It begins with one of some words."""

    words: tuple[bytes, ...]
    expression: re.Pattern[bytes]


def _saying(words: str, expression: str) -> _Saying:
    # Words are apart by a blank, a line break, or the \n of a text in JSON.
    apart = expression.replace(" ", r"(?:\s|\\n){1,4}")
    return _Saying(
        tuple(word.encode() for word in words.split("|")),
        cast("Any", pattern(cast("Any", rf"(?:(?<![\w-])|(?<=\\n)){apart}".encode()))),
    )


_MODEL = r"(?:ai|llms?|language models?|(?:ai )?(?:assistants?|agents?)|chatbots?|claude|chatgpt|copilot|codex|gemini)"
_ORDERS = (
    r"(?:instructions?|prompts?|rules|directions|directives|guidelines|guardrails|orders|system messages?)"
)
_EARLIER = r"(?:previous|prior|above|earlier|preceding|existing|original|former|system|developer|safety)"
_TARGET = r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w|[a-z0-9-]+\.(?:com|net|org|io|dev|xyz|ru|example)\b)"
_SECRETS = (
    r"(?:system prompt|system message|initial instructions|api keys?|credentials|passwords|environment)"
)

_SAYINGS = (
    _saying(
        "ignore|disregard|forget|override|bypass|overrule",
        rf"(?:ignore|disregard|forget|override|bypass|overrule)(?: (?:all|any|every|your|the|of|my|these|those)){{0,4}}"
        rf" (?:{_EARLIER}(?: (?:and|or) \w+)? {_ORDERS}|{_ORDERS} (?:above|before|you)"
        r"|(?:everything|what|anything) (?:above|before|you (?:were|have been|know)))",
    ),
    _saying(
        "from now on|from this point on|henceforth|in all future|in every future|in any future|in all later",
        r"(?:from now on|from this point on|henceforth|in (?:all|every|any) (?:future|later) \w+),? "
        r"(?:you|always|never|please|do not|make sure|remember|ignore|reply|respond|answer|use|send|run|add)\b",
    ),
    _saying(
        "remember", r"remember(?::|,| that| to|: to)?(?: you)?(?: (?:must|should|to))? (?:always|never)\b"
    ),
    _saying(
        "save|store|add|write|put|record|append|keep",
        r"(?:save|store|add|write|put|record|append|keep)(?: \w+){1,4}? (?:to|in|into) "
        r"(?:your|the agent's|the model's|long-term) (?:[\w-]+ ){0,2}(?:memory|memories|notes|instructions|rules)\b",
    ),
    _saying(
        "you are now|you are no longer",
        r"you are (?:no longer (?:bound|required|allowed|restricted|an?\b)|now (?:an? |the |in |\w*gpt|dan\b))",
    ),
    _saying(
        "new |updated |additional |important |hidden |urgent |special |system ",
        rf"(?:new|updated|additional|important|hidden|urgent|special|system) (?:system )?(?:instructions?|directives?)"
        rf"(?: (?:for|to) (?:the |all |any )?{_MODEL})?\s?:",
    ),
    _saying(
        "instruction|message |message:|note |notice |attention|warning |dear |hey |hello |important",
        rf"(?:instructions?|message|note|notice|warning) (?:for|to) (?:the |all |any |other )?{_MODEL}\b\s?[:,.!]"
        rf"|(?:attention|dear|hey|hello|important)[,:]? (?:the |all |any )?{_MODEL}[,:!]",
    ),
    _saying("if you", rf"if you(?:'re| are) (?:an? |the )?(?:{_MODEL})\b,? "),
    _saying(
        "do not |don't |dont |never |must not |without ",
        r"(?:do not|don't|dont|never|must not|without)(?: ever)? "
        r"(?:tell|inform|mention|reveal|alert|notify|warn|ask)(?:ing)?"
        r"(?: (?:this|it|that|anything|any of this))?(?: to)? (?:the|your) (?:user|human|operator)s?\b",
    ),
    _saying(
        "always |must |please |immediately |secretly |silently ",
        r"(?:always|must|please|immediately|secretly|silently) "
        rf"(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|submit)\b[^\n]{{0,80}}?\b{_TARGET}",
    ),
    _saying(
        "print|reveal|output|repeat|send|leak|exfiltrate",
        rf"(?:print|reveal|output|repeat|send|leak|exfiltrate)(?: (?:me|us|all|of|out)){{0,2}} (?:your|the)"
        rf"(?: (?:full|entire|hidden|secret|user's|own)){{0,2}} {_SECRETS}",
    ),
    _saying("system: you ", r"system: you (?:are|must|will|should)"),
)
_MARKS = (
    b"<|im_start|>",
    b"<|system|>",
    b"<<sys>>",
    b"[inst]",
    b"<system>",
    b"<system_prompt>",
    b"[system](#",
)
"""What frames a system's words in models' own formats."""


def reads_like_instructions(data: bytes) -> bool:
    """Whether a text in UTF-8 reads like instructions to a model."""
    folded = data.lower()
    return any(mark in folded for mark in _MARKS) or any(_said(folded))


def _said(folded: bytes) -> Iterator[bool]:
    for saying in _SAYINGS:
        for word in saying.words:
            at = folded.find(word)
            while at >= 0:
                if saying.expression.match(folded, at) is not None:
                    yield True
                at = folded.find(word, at + len(word))
