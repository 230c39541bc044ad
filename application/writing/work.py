"""Writes of the work: goals, actions, questions, constraints, tasks."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.new_items import text_item
from backstory.domain.commands import facts, work
from backstory.domain.trust import default_origin
from backstory.domain.values import DEFAULT_ENCODING, Priority, aware, listed
from backstory.infrastructure.llm.tokens import count_tokens


class WorkWriter(SessionPart):
    """Writes of the work: `session.work`."""

    def set_goal(
        self,
        text: str,
        *,
        priority: Priority | str = Priority.MEDIUM,
        parent: int | None = None,
        status: Literal["pending", "in-progress"] = "pending",
    ) -> int:
        """Sets a goal, or a sub-goal of one that is open."""
        bundle = self._handle.bundle()
        ref = bundle.text("text", text)
        decider = partial(
            work.set_goal,
            item=text_item(self._handle, "goal", [text]),
            text=ref,
            priority=priority,
            parent=parent,
            status=status,
        )
        if parent is None:
            return self._handle.write(bundle, facts.set_goal(**decider.keywords))
        return self._handle.command(bundle, decider)

    def update_goal(
        self,
        goal: int,
        *,
        text: str | None = None,
        priority: Priority | str | None = None,
        status: Literal["pending", "in-progress"] | None = None,
    ) -> int:
        """Changes a goal that is open."""
        bundle = self._handle.bundle()
        encoding = self._handle.encoding()
        decider = partial(
            work.update_goal,
            goal=goal,
            text=bundle.optional("text", text),
            tokens=count_tokens(text, encoding) if text else 0,
            encoding=None if encoding == DEFAULT_ENCODING else encoding,
            priority=priority,
            status=status,
            origin=self._handle.provenance.origin or default_origin("goal"),
        )
        return self._handle.command(bundle, decider)

    def complete_goal(self, goal: int) -> int:
        """Closes a goal, with the sub-goals still open below it."""
        return self._handle.command(ContentBundle(), partial(work.complete_goal, goal=goal))

    def add_action(
        self,
        text: str,
        *,
        priority: Priority | str = Priority.MEDIUM,
        layer: int | None = None,
        estimate_minutes: int | None = None,
        assignee: str | None = None,
        due: datetime | None = None,
        blocked_by: str | None = None,
    ) -> int:
        """Adds something to do."""
        bundle = self._handle.bundle()
        ref, blocker = bundle.text("text", text), bundle.optional("blocked_by", blocked_by)
        change = facts.add_action(
            text_item(self._handle, "action", [text, blocked_by or ""]),
            text=ref,
            priority=priority,
            layer=layer,
            estimate_minutes=estimate_minutes,
            assignee=assignee,
            due=aware("due", due),
            blocked_by=blocker,
        )
        return self._handle.write(bundle, change)

    def block_action(self, action: int, by: str | None) -> int:
        """Says what an action waits for; None frees it."""
        bundle = self._handle.bundle()
        return self._handle.command(
            bundle, partial(work.block_action, action=action, by=bundle.optional("by", by))
        )

    def complete_action(self, action: int) -> int:
        """Closes an action."""
        return self._handle.command(ContentBundle(), partial(work.complete_action, action=action))

    def ask(
        self,
        text: str,
        *,
        context: str | None = None,
        priority: Priority | str = Priority.MEDIUM,
        asked_by: str | None = None,
        blocks: Sequence[int] = (),
    ) -> int:
        """Asks a question. `blocks` are items of the session that wait for the answer."""
        bundle = self._handle.bundle()
        waiting = listed("blocks", blocks)
        self._handle.require_items("blocks", waiting)
        ref, said = bundle.text("text", text), bundle.optional("context", context)
        change = facts.ask_question(
            text_item(self._handle, "question", [text, context or ""]),
            text=ref,
            context=said,
            priority=priority,
            asked_by=asked_by or self._handle.actor,
            blocks=waiting,
        )
        return self._handle.write(bundle, change)

    def answer(self, question: int, text: str, *, answered_by: str | None = None) -> int:
        """Answers a question, which closes it."""
        bundle = self._handle.bundle()
        decider = partial(
            work.answer_question,
            question=question,
            answer=bundle.text("text", text),
            answered_by=answered_by or self._handle.actor,
        )
        return self._handle.command(bundle, decider)

    def add_constraint(self, text: str) -> int:
        """Adds a rule that holds until it is removed."""
        bundle = self._handle.bundle()
        ref = bundle.text("text", text)
        return self._handle.write(
            bundle, facts.add_constraint(text_item(self._handle, "constraint", [text]), text=ref)
        )

    def remove_constraint(self, constraint: int, *, why: str | None = None) -> int:
        """Removes a constraint."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(bundle, partial(work.remove_constraint, constraint=constraint, why=ref))

    def start_task(
        self,
        task: str,
        text: str,
        *,
        acceptance_criteria: Sequence[str] = (),
        depends_on_tasks: Sequence[str] = (),
        depends_on_files: Sequence[str] = (),
    ) -> int:
        """Starts a task under an id of the caller's; it is then the current one."""
        bundle = self._handle.bundle()
        ref = bundle.text("text", text)
        criteria = bundle.each("acceptance_criteria", acceptance_criteria)
        change = facts.start_task(
            text_item(self._handle, "task", [text, *acceptance_criteria], task=task),
            task=task,
            text=ref,
            acceptance_criteria=criteria,
            depends_on_tasks=listed("depends_on_tasks", depends_on_tasks),
            depends_on_files=listed("depends_on_files", depends_on_files),
        )
        return self._handle.write(bundle, change)

    def complete_task(self, task: str) -> int:
        """Completes a task."""
        return self._handle.command(ContentBundle(), partial(work.complete_task, task=task))

    def fail_task(self, task: str, why: str | None = None) -> int:
        """Gives a task up."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(bundle, partial(work.fail_task, task=task, why=ref))
