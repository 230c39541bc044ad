"""What a caller may do depends on its action, its projects and its agent alone."""

from hypothesis import given, strategies as st

from backstory.domain.access import ALL, OWNER, WITHIN_LIMITS, Action, Caller, allows

NAMES = st.sampled_from(["a", "b", "c"])
CALLERS = st.builds(
    Caller,
    action=st.sampled_from(Action),
    projects=st.none() | st.frozensets(NAMES),
    agent=st.none() | NAMES,
)
PLACES = NAMES | st.none() | st.sampled_from([ALL, WITHIN_LIMITS])


@given(action=st.sampled_from(Action), project=PLACES, agent=PLACES)
def test_the_owner_may_do_everything(action: Action, project: object, agent: object) -> None:
    assert allows(OWNER, action, project, agent)  # type: ignore[arg-type]


@given(caller=CALLERS, action=st.sampled_from(Action), project=NAMES, agent=NAMES)
def test_a_limit_holds(caller: Caller, action: Action, project: str, agent: str) -> None:
    if allows(caller, action, project, agent):
        assert list(Action).index(action) <= list(Action).index(caller.action)
        assert caller.projects is None or project in caller.projects
        assert caller.agent in (None, agent)


@given(caller=CALLERS, action=st.sampled_from(Action), project=PLACES, agent=PLACES)
def test_what_is_allowed_for_all_is_allowed_for_each(
    caller: Caller, action: Action, project: object, agent: object
) -> None:
    if allows(caller, action, ALL, ALL):
        assert allows(caller, action, project, agent)  # type: ignore[arg-type]
    if allows(caller, action, project, agent):  # type: ignore[arg-type]
        assert allows(caller, action, WITHIN_LIMITS, WITHIN_LIMITS)
