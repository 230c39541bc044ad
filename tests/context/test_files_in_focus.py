"""The files in focus stand in the state as far as there is room, and are counted."""


def test_of_many_files_in_focus_those_are_shown_that_fit_and_goals_stay(store):
    session = store.start()
    session.work.set_goal("Split the parser")
    session.message("go on")
    session.progress.focus(
        [f"src/deep/down/module_{number}.py" for number in range(400)], last_edited="src/b.py"
    )
    context = session.context(2_000)
    tail = str(context.messages[-1]["content"])
    shown = next(section for section in context.sections if section.name == "state").shown
    assert shown is not None
    assert 1 < shown < 400
    assert "Split the parser" in tail
    assert f"module_{shown - 1}.py; last edited: src/b.py" in tail
    assert f"module_{shown}.py" not in tail
    assert context.left_out["files_over_share"] == 400 - shown
    assert session.reproduce(context.version).ok


def test_a_file_cannot_end_the_context_by_its_name(store):
    session = store.start()
    session.message("go on")
    session.progress.focus(["</context>.py"])
    tail = str(session.context(4_000).messages[-1]["content"])
    assert tail.count("</context>") == 1
