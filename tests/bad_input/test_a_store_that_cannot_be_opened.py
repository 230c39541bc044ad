import asyncio
import math

import pytest

from backstory.application.aio.store import AsyncContextStore
from backstory.application.store import ContextStore
from backstory.domain.errors import InvalidInput, ServerUnavailable


async def open_asynchronously(url, **given):
    await (await AsyncContextStore.open(url, **given)).close()


OPENERS = {
    "sync": lambda url, **given: ContextStore.open(url, **given).close(),
    "async": lambda url, **given: asyncio.run(open_asynchronously(url, **given)),
}


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
@pytest.mark.parametrize(
    "given",
    [
        *({"pool_size": size} for size in (0, -1, 1001, "x", 1.5, [])),
        *({"patience": patience} for patience in (0, -1, math.nan, math.inf, 1e10, "x", [])),
    ],
    ids=str,
)
def test_settings_that_are_none(url, opener, given):
    (field,) = given
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        opener(url, **given)


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
@pytest.mark.parametrize("url", [5, b"x", [], "", " ", "nonsense", "postgresql://\ud800"], ids=repr)
def test_an_address_that_is_none(opener, url):
    with pytest.raises(InvalidInput, match="^url: must "):
        opener(url)


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
def test_an_address_where_nobody_is_does_not_give_the_password_away(opener):
    with pytest.raises(ServerUnavailable) as raised:
        opener("postgresql://user:hush@127.0.0.1:1/x")
    error = raised.value
    while error is not None:
        assert "hush" not in str(error)
        error = error.__cause__
