"""The keys of a service."""

from backstory.application.access.keys import Keys
from backstory.interfaces.client.calls import get, over_http, post
from backstory.interfaces.client.handle import RemoteHandle

WITHIN = "belongs to the service, which asks it of each request."


@over_http(
    "keys",
    absent={"caller": WITHIN, "note": WITHIN, "exist": WITHIN},
    create=post("/keys", keyed=False),
    list=get("/keys"),
    calls=get(),
)
class RemoteKeys(Keys):
    """See Keys."""

    def __init__(self, handle: RemoteHandle) -> None:
        self._handle = handle
