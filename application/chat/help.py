"""`/help`: the commands, from their table."""

from backstory.application.chat.answers import Answer, Asked, Unsettled, quoted
from backstory.application.chat.ideas import idea_is_loaded
from backstory.application.chat.syntax import words_of
from backstory.domain.context_document.commands import OFFERS, RULES, Offer, is_available


def show_help(asked: Asked) -> Answer:
    if not asked.argument:
        return _listed(asked, OFFERS, "Commands, and when they are there:")
    wanted = words_of(asked.argument.lower().replace("-", "_"))
    found = [offer for offer in OFFERS if words_of(offer.command)[: len(wanted)] == wanted]
    if not found:
        raise Unsettled(f"there is no command {quoted(asked.argument)}.")
    return _listed(asked, tuple(found), "")


def _listed(asked: Asked, offers: tuple[Offer, ...], heading: str) -> Answer:
    loaded = idea_is_loaded(asked.session, asked.state)
    rows = [
        {
            "command": offer.command,
            "usage": offer.usage,
            "description": offer.description,
            "available": is_available(offer, asked.state, idea_loaded=loaded),
        }
        for offer in offers
    ]
    lines = [
        f"  {offer.usage}\n      {offer.description}"
        + ("" if row["available"] else f" ({RULES[offer.availability].words})")
        for offer, row in zip(offers, rows, strict=True)
    ]
    return Answer("\n".join([heading, *lines] if heading else lines), {"commands": rows})
