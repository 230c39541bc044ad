"""The newest tool exchange where it is too large for a context: its results are cut until it fits."""

from typing import NamedTuple

from backstory.application.context.token_costs import TokenCosts
from backstory.domain.messages.prose import result_text
from backstory.domain.records import Item

LEAST = 400
"""Characters of a result, less than which tells nothing."""
CHARACTERS_PER_TOKEN = 10
"""More than there are in any text that is worth reading: the largest size that is tried."""


class CutResults(NamedTuple):
    """The characters that results are cut to, and the tokens that the exchange has then."""

    characters: int
    tokens: int


def cut_to_fit(item: Item, tokens: int, room: int, costs: TokenCosts) -> CutResults | None:
    """The results of an exchange of so many tokens, cut to the policy's share of the room. None where it fits whole,
    and where its results are not what makes it large."""
    if item.type != "tool_exchange" or tokens <= room:
        return None
    allowance = int(room * costs.policy.cut_share)
    parts = [part for message in costs.loaded.messages[item.id] for part in message.parts]
    longest = max((len(result_text(part)) for part in parts if part.kind == "tool_result"), default=0)
    best = CutResults(LEAST, costs.cut_tokens(item, LEAST))
    if best.tokens >= tokens:
        return None
    low, high = LEAST + 1, min(longest, max(0, allowance) * CHARACTERS_PER_TOKEN)
    while low <= high:
        middle = (low + high) // 2
        cut = CutResults(middle, costs.cut_tokens(item, middle))
        if cut.tokens <= allowance:
            best, low = cut, middle + 1
        else:
            high = middle - 1
    return best
