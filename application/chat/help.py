"""`/help`: the commands, from their table."""

from backstory.application.chat.answers import Answer, CannotRun, CommandCall, quoted
from backstory.application.chat.ideas import idea_is_loaded
from backstory.application.chat.syntax import words_of
from backstory.domain.context_document.commands import OFFERS, RULES, Offer, is_available


def show_help(call: CommandCall) -> Answer:
    if not call.argument:
        return _listed(call, OFFERS, "Commands, and when they are there:")
    wanted = words_of(call.argument.lower().replace("-", "_"))
    found = [offer for offer in OFFERS if words_of(offer.command)[: len(wanted)] == wanted]
    if not found:
        raise CannotRun(f"there is no command {quoted(call.argument)}.")
    return _listed(call, tuple(found), "")


def _listed(call: CommandCall, offers: tuple[Offer, ...], heading: str) -> Answer:
    loaded = idea_is_loaded(call.session, call.state)
    rows = [
        {
            "command": offer.command,
            "usage": offer.usage,
            "description": offer.description,
            "available": is_available(offer, call.state, idea_loaded=loaded),
        }
        for offer in offers
    ]
    lines = [
        f"  {offer.usage}\n      {offer.description}"
        + ("" if row["available"] else f" ({RULES[offer.availability].words})")
        for offer, row in zip(offers, rows, strict=True)
    ]
    return Answer("\n".join([heading, *lines] if heading else lines), {"commands": rows})
