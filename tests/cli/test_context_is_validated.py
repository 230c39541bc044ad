"""`backstory validate` checks the context document of a session."""

from backstory import ContextStore
from tests.cli.conftest import Cli


def test_a_valid_one(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    session.message("hello")
    session.decide("Use RS256")
    shown = cli("validate", session.id)
    assert (shown.code, shown.out) == (0, "valid: 2 items with 4 tokens, layer 0 IDEA, 1 decision\n")
    document = cli("validate", session.id, "--json").document
    assert (document["session"], document["loaded_items"], document["decisions"]) == (str(session.id), 2, 1)


def test_a_lost_decision_has_its_exit_code(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    decision = session.decide("Use RS256")
    session.backtrack(1, "no")
    refused = cli("validate", session.id, "--since", str(decision), "--json")
    assert (refused.code, refused.error["code"]) == (4, "context-invalid")
    assert f"recent_decisions[DEC-{decision}]" in refused.error["message"]
