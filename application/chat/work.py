"""Commands on goals, decisions, constraints, actions and questions."""

from collections.abc import Mapping

from backstory.application.chat.answers import Answer, CannotRun, CommandCall, quoted
from backstory.application.chat.references import as_id, choose, id_of, lines
from backstory.application.chat.syntax import split_because, split_quoted, split_words, unquoted
from backstory.domain.events import DecisionNoticed
from backstory.domain.records import Place


def set_goal(call: CommandCall) -> Answer:
    text = call.text("the goal")
    goal = call.session.work.set_goal(text)
    return Answer(f"{id_of('goal', goal)} set: {text}", {"goal": goal, "text": text}, (goal,))


def complete_goal(call: CommandCall) -> Answer:
    texts = call.texts({key: goal.text for key, goal in sorted(call.state.goals.items())})
    goal = choose("goal", call.text("the goal"), texts)
    done = call.session.work.complete_goal(goal)
    text = texts[goal]
    said = f"{id_of('goal', goal)} completed" + (f": {text}" if text is not None else "")
    return Answer(said, {"goal": goal, "text": text}, (done,))


def focus(call: CommandCall) -> Answer:
    files = split_words(call.written("the file"))
    done = call.session.progress.focus(files)
    return Answer(f"In focus: {', '.join(files)}", {"files": list(files)}, (done,))


def unfocus(call: CommandCall) -> Answer:
    files = split_words(call.written("the file"))
    if unknown := [path for path in files if path not in call.state.focus.files]:
        raise CannotRun(f"{quoted(unknown[0])} is not in focus.", files=list(call.state.focus.files))
    done = call.session.progress.focus(remove=files)
    return Answer(f"No longer in focus: {', '.join(files)}", {"files": list(files)}, (done,))


def log_decision(call: CommandCall) -> Answer:
    decision, rationale = split_because(call.written("the decision"))
    if not decision:
        raise CannotRun("the decision is missing.")
    done = call.session.decide(decision, rationale=rationale)
    said = f"{id_of('decision', done)} recorded: {decision}"
    if rationale is not None:
        said += f"\nbecause {rationale}"
    return Answer(said, {"decision": done, "text": decision, "rationale": rationale}, (done,))


def confirm_decision(call: CommandCall) -> Answer:
    texts = _noticed(call)
    candidate = choose("decision", call.text("the decision"), texts)
    done = call.session.decisions.confirm(candidate)
    said = f"{id_of('decision', candidate)} confirmed as {id_of('decision', done)}"
    return Answer(said, {"candidate": candidate, "decision": done}, (done,))


def dismiss_decision(call: CommandCall) -> Answer:
    reference, why = split_because(call.written("the decision"))
    candidate = choose("decision", reference, _noticed(call))
    done = call.session.decisions.dismiss(candidate, why=why)
    return Answer(f"{id_of('decision', candidate)} dismissed", {"candidate": candidate, "why": why}, (done,))


def _noticed(call: CommandCall) -> dict[int, str | None]:
    waiting = [candidate.id for candidate in call.state.candidates]
    places: dict[int, Place] = {
        version: (version, event.body.text.part)
        for version, event in call.contents.events(waiting).items()
        if isinstance(event.body, DecisionNoticed)
    }
    return call.texts(dict(sorted(places.items())))


def add_constraint(call: CommandCall) -> Answer:
    text = call.text("the rule")
    done = call.session.work.add_constraint(text)
    return Answer(f"{id_of('constraint', done)} holds: {text}", {"constraint": done, "text": text}, (done,))


def remove_constraint(call: CommandCall) -> Answer:
    reference, why = split_because(call.written("the rule"))
    constraint = choose("constraint", reference, call.texts(dict(sorted(call.state.constraints.items()))))
    done = call.session.work.remove_constraint(constraint, why=why)
    said = f"{id_of('constraint', constraint)} no longer holds"
    return Answer(said, {"constraint": constraint, "why": why}, (done,))


def add_action(call: CommandCall) -> Answer:
    text = call.text("the action")
    done = call.session.work.add_action(text)
    return Answer(f"{id_of('action', done)} to do: {text}", {"action": done, "text": text}, (done,))


def complete_action(call: CommandCall) -> Answer:
    texts = call.texts({key: action.text for key, action in sorted(call.state.actions.items())})
    action = choose("action", call.text("the action"), texts)
    done = call.session.work.complete_action(action)
    return Answer(f"{id_of('action', action)} done", {"action": action, "text": texts[action]}, (done,))


def ask(call: CommandCall) -> Answer:
    text = call.text("the question")
    done = call.session.work.ask(text)
    return Answer(f"{id_of('question', done)} call: {text}", {"question": done, "text": text}, (done,))


def answer(call: CommandCall) -> Answer:
    """`/answer Q-12 yes`, `/answer Which port? 8080`, or only the answer while one question is open."""
    said = call.written("the answer")
    texts = call.texts({key: question.text for key, question in sorted(call.state.questions.items())})
    first = said.split(maxsplit=1)[0]
    rest = said[len(first) :]
    apart = split_quoted(said)
    # A number alone may be the answer, and so may `Q2`; `Q-12` is a question, also one that is not open.
    if as_id("question", first) in texts or (as_id("question", first) and "-" in first):
        reference, reply = first, unquoted(rest.strip())
    elif (question := _asked_again(said, texts)) is not None:
        reference, reply = str(question), unquoted(said[len(texts[question] or "") :].strip())
    elif apart is not None and apart[1]:
        reference, reply = apart
    elif len(texts) == 1:
        reference, reply = str(next(iter(texts))), unquoted(said)
    else:
        raise CannotRun(
            f"{len(texts)} questions are open; say which by its id:\n{lines('question', texts)}",
            candidates=[{"id": id_of("question", key), "text": text} for key, text in texts.items()],
        )
    if not reply:
        raise CannotRun(f"the answer to {quoted(reference)} is missing.")
    question = choose("question", reference, texts)
    done = call.session.work.answer(question, reply)
    return Answer(
        f"{id_of('question', question)} answered: {reply}", {"question": question, "answer": reply}, (done,)
    )


def _asked_again(said: str, texts: Mapping[int, str | None]) -> int | None:
    """The question that an answer repeats before it goes on: the longest, where one begins like another."""
    found = [
        (len(text), key)
        for key, text in texts.items()
        if text
        and said[: len(text)].casefold() == text.casefold()
        and said[len(text) : len(text) + 1].isspace()
    ]
    return max(found)[1] if found else None
