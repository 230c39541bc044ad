"""An event of one's own, and the command that decides whether it happens."""

from typing import ClassVar

from backstory import Change, ContentRef, ContextState, Effects, EventBody, NewItem, Refused


class DeployFinished(EventBody):
    """A service was deployed."""

    type: ClassVar[str] = "acme:deploy.finished"
    service: str
    log: ContentRef


def finish_deploy(state: ContextState, *, service: str, log: ContentRef, tokens: int) -> Change:
    """Records a deploy, unless an error is open. Its log becomes an item of the session."""
    if state.errors:
        raise Refused(f"{service} cannot be deployed while an error is open.")
    item = NewItem(type="deploy", tokens=tokens, importance=0.6, tier="WARM")
    return Change(DeployFinished(service=service, log=log), Effects(brings=item))
