"""Items that are made from others: trusted no further than those."""

from collections.abc import Iterable

from backstory.domain.effects import NewItem
from backstory.domain.state import ContextState
from backstory.domain.trust import Trust, least_trust


def made_from(state: ContextState, item: NewItem, sources: Iterable[int]) -> NewItem:
    """The item, trusted no further than the items it was made from. A state does not know how far an item is trusted
    that has left it, so that counts as untrusted."""
    trusts = [
        Trust(state.items[source].trust) if source in state.items else Trust.UNTRUSTED for source in sources
    ]
    return no_further(item, trusts)


def no_further(item: NewItem, trusts: Iterable[Trust]) -> NewItem:
    """The item, trusted no further than the least of these."""
    trust = least_trust(trusts, item.own_trust)
    return item if trust == item.own_trust else item.model_copy(update={"trust": trust})
