"""While one batch is used the next one is made, and neither is left behind."""

import threading
from collections.abc import Generator

import pytest

from backstory.application.transfer.ahead import ahead


def test_the_same_values_in_order_one_ahead() -> None:
    made: list[int] = []
    second = threading.Event()

    def numbers() -> Generator[int]:
        for number in range(5):
            made.append(number)
            if number == 1:
                second.set()
            yield number

    with ahead(numbers()) as values:
        assert next(values) == 0
        assert second.wait(60)
        assert made == [0, 1]
        assert list(values) == [1, 2, 3, 4]


def test_an_error_comes_where_its_value_would() -> None:
    def numbers() -> Generator[int]:
        yield 1
        raise ValueError("no more")

    with ahead(numbers()) as values:
        assert next(values) == 1
        with pytest.raises(ValueError, match="no more"):
            next(values)


def test_the_source_is_closed_however_the_block_ends() -> None:
    ended: list[bool] = []

    def numbers() -> Generator[int]:
        try:
            yield from range(1000)
        finally:
            ended.append(True)

    def interrupted() -> None:
        with ahead(numbers()) as values:
            next(values)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert ended == [True]
    assert not [one for one in threading.enumerate() if one.name.startswith("backstory-ahead")]
