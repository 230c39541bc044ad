"""A provider's numbers for one call, whoever gives them and whatever it calls them."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from backstory.domain.errors import InvalidInput
from backstory.domain.values import LARGEST, whole_number


class Usage(NamedTuple):
    """Tokens of one call. `input` is the whole prompt, with what came from a cache or went into one."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None


# Where each number stands: OpenAI's chat completions, its responses API, Anthropic, Google, and these words of ours.
_INPUT = ("prompt_tokens", "input_tokens", "prompt_token_count", "promptTokenCount", "input")
_OUTPUT = ("completion_tokens", "output_tokens", "candidates_token_count", "candidatesTokenCount", "output")
_CACHED = (
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "cache_read_input_tokens",
    "cached_content_token_count",
    "cachedContentTokenCount",
    "cached_tokens",
    "cached",
)
_CACHE_WRITE = ("cache_creation_input_tokens", "cache_write_tokens", "cache_write")
_REASONING = (
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "thoughts_token_count",
    "thoughtsTokenCount",
    "reasoning_tokens",
    "reasoning",
)


_NAMES = (_INPUT, _OUTPUT, _CACHED, _CACHE_WRITE, _REASONING)
# Sums of the others.
_OTHERS = frozenset({"total_tokens", "total_token_count", "totalTokenCount", "total"})


def read_usage(usage: Mapping[str, Any] | object | None) -> tuple[Usage, bytes | None]:
    """The numbers, and what was given, as JSON."""
    if usage is None:
        return Usage(), None
    if isinstance(usage, Usage):
        given: Any = usage._asdict()
    elif hasattr(usage, "model_dump"):
        given = usage.model_dump(mode="json")
    else:
        given = usage
    if not isinstance(given, Mapping):
        raise InvalidInput(
            "usage", f"must be a mapping or a provider's usage object, got {type(usage).__name__}"
        )
    try:
        raw = json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("usage", f"must be JSON: {error}") from None
    _require_read(given)
    found = Usage(*(_number(given, names) for names in _NAMES))
    if "cache_read_input_tokens" in given or "cache_creation_input_tokens" in given:
        # Anthropic counts what its cache read or wrote apart from the rest of the prompt.
        whole = (found.input or 0) + (found.cached or 0) + (found.cache_write or 0)
        found = found._replace(input=whole)
    return found, raw


def _require_read(given: Mapping[str, Any]) -> None:
    """Refuses names that nobody reads: all of them where no other is given, and those of numbers where input or output
    has none. Providers give others besides, such as a total."""
    if all(_number(given, names) is not None for names in (_INPUT, _OUTPUT)):
        return
    read = {name.split(".")[0] for names in _NAMES for name in names} | _OTHERS
    names = set(map(str, given))
    unread = [
        str(name)
        for name, value in given.items()
        if name not in read and (isinstance(value, int | float) or not names & read)
    ]
    if unread:
        raise InvalidInput(
            "usage",
            f"has names that are not read: {', '.join(unread)}. Give the provider's own usage, or input, output, "
            "cached, cache_write and reasoning",
        )


def _number(given: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value: Any = given
        for key in name.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is None:
            continue
        return whole_number(f"usage.{name}", value, minimum=0, maximum=LARGEST)
    return None
