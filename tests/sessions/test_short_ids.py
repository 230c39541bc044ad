"""Every call that takes a session's id takes a beginning or an end that no other id has, and `last`."""

from pathlib import Path
from uuid import UUID

import pytest

from backstory.domain.errors import InvalidInput, UnknownSession

ONE = UUID("aaaaaaaa-0000-7000-8000-00000000abcd")
TWO = UUID("aaaaaaaa-0000-7000-8000-00000000dcba")


@pytest.fixture
def stored(own_store):
    own_store.start(ONE, title="one")
    own_store.start(TWO, title="two")
    return own_store


@pytest.mark.parametrize(
    "short", ["abcd", "ABCD", "8000-00000000abcd", "aaaaaaaa-0000-7000-8000-00000000a", ONE, str(ONE)]
)
def test_a_short_form_names_one_session(stored, short):
    assert stored.find(short) == ONE
    assert stored.session(short).id == ONE
    assert stored.summary(short).title == "one"
    assert stored.resume(short).session.id == ONE


def test_last_is_the_session_that_somebody_last_worked_in(stored):
    stored.session(ONE).message("hello")
    assert stored.session("last").id == ONE


def test_calls_on_several_sessions_take_short_forms(stored, tmp_path: Path):
    assert stored.export(["abcd", "dcba"], tmp_path / "both.jsonl").sessions == (ONE, TWO)
    assert stored.check_projections(["abcd"]).ok
    stored.sync(tmp_path, ["abcd"])
    assert stored.purge("dcba", tmp_path / "two.jsonl").session == TWO


def test_several_that_fit_are_refused(stored):
    with pytest.raises(InvalidInput, match="session: 'aaaa' fits several sessions; give more of the id"):
        stored.session("aaaa")


def test_none_that_fits_is_unknown(stored):
    with pytest.raises(UnknownSession, match="no session's id begins or ends with 'bbbb'"):
        stored.session("bbbb")


@pytest.mark.parametrize("value", ["", "%", "not an id", None, 7])
def test_what_is_no_id_is_refused(stored, value):
    with pytest.raises(InvalidInput, match="session: must be an id"):
        stored.session(value)


def test_a_new_session_needs_a_whole_id(stored):
    with pytest.raises(InvalidInput, match="session: must be a UUID"):
        stored.start("abcd")
