"""A system prompt that was replaced and brought back is what it was."""

from backstory import ContextStore


def test_it_has_its_role_again(store: ContextStore) -> None:
    session = store.start()
    first = session.set_system_prompt("Be brief.")
    before = session.state.items[first]
    session.set_system_prompt("Be kind.")
    session.items.bring_back(first)
    assert session.state.items[first] == before._replace(changed=session.version)
