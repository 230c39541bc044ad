"""The check that a browser was not sent here by another page.

A page of any site can make a browser send requests to a service on loopback, and read the answers once the site's name
is made to resolve to 127.0.0.1 (DNS rebinding). Neither can be done with a key, which no page knows; so the check is
for requests that are let in without one, or by the cookie that a browser sends by itself.
"""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from backstory.domain.errors import AccessDenied

LOCAL_NAMES = frozenset({"localhost"})


def require_own_page(
    connection: HTTPConnection, hosts: Collection[str] = (), origins: Collection[str] = ()
) -> None:
    """Refuses a request that a page of another site may have made a browser send."""
    host = connection.headers.get("host", "")
    if not _is_own_name(host, hosts):
        raise AccessDenied(
            "the request's Host is no name of this service: without a key it is reached as localhost, by an address, "
            "or by a name given with --allow-host."
        )
    origin = connection.headers.get("origin")
    if origin is not None:
        if origin not in origins and urlsplit(origin).netloc.lower() != host.lower():
            raise AccessDenied("the request comes from a page of another origin.")
    elif connection.headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
        connection.headers.get("sec-fetch-mode") != "navigate"
    ):
        raise AccessDenied("the request comes from a page of another site.")


def _is_own_name(host: str, hosts: Collection[str]) -> bool:
    """Whether a Host header names this service. A name that an attacker owns can point here; an address cannot."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in LOCAL_NAMES or name in hosts:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
