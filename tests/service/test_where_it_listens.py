"""A service that others can reach has keys and TLS, or is forced."""

from pathlib import Path

import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, Refused
from backstory.interfaces.http.serving.server import Address, require_safe

TLS = {"certificate": Path("server.pem"), "certificate_key": Path("server.key")}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_on_this_machine_neither_is_needed(own_store: ContextStore, host: str) -> None:
    assert not require_safe(Address(host), own_store, force=False).keys_required


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "backstory.example"])
def test_elsewhere_both_are(own_store: ContextStore, host: str) -> None:
    with pytest.raises(Refused, match="no keys"):
        require_safe(Address(host, **TLS), own_store, force=False)
    own_store.keys.create("first", "admin")
    with pytest.raises(Refused, match="in the clear"):
        require_safe(Address(host), own_store, force=False)
    assert require_safe(Address(host, **TLS), own_store, force=False).keys_required
    assert require_safe(Address(host), own_store, force=True).keys_required


def test_whoever_forces_it_without_keys_has_none(own_store: ContextStore) -> None:
    assert not require_safe(Address("0.0.0.0"), own_store, force=True).keys_required


def test_a_port_in_use_is_named() -> None:
    with Address(port=0).listen() as taken, pytest.raises(InvalidInput) as refused:
        Address(port=taken.getsockname()[1]).listen()
    assert refused.value.field == "port"
