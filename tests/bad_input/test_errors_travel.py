import copy
import pickle

import pytest

from backstory.domain import errors

EVERY = [
    error
    for error in vars(errors).values()
    if isinstance(error, type) and issubclass(error, errors.BackstoryError)
]


@pytest.mark.parametrize("error", EVERY)
def test_an_error_can_be_sent_to_another_process(error):
    """As workers in process pools do with theirs."""
    if error is errors.TooManyRequests:
        sent = error(3)
    else:
        sent = error("field", "must be so") if hasattr(error("a", "b"), "field") else error("a sentence.")
    for received in (pickle.loads(pickle.dumps(sent)), copy.copy(sent)):
        assert type(received) is error
        assert str(received) == str(sent)
        assert vars(received) == vars(sent)


def test_what_an_error_quotes_can_be_shown():
    error = errors.InvalidInput("a\nfield", "must not have " + repr("\ud800") + "\n" + "x" * 1000)
    assert str(error).isprintable()
    assert len(str(error)) < 300
    str(error).encode()
