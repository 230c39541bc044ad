"""Writes of the work: decisions, goals, actions, questions, constraints, tasks."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from backstory.application.writing.base import WriterBase, named_encoding
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import contexts, facts, work
from backstory.domain.values import (
    Priority,
    aware,
    listed,
)
from backstory.infrastructure.llm.tokens import count_tokens


class WorkWriter(WriterBase):
    """What is decided, wanted and to be done."""

    def decide(
        self,
        text: str,
        *,
        rationale: str | None = None,
        alternatives_rejected: Sequence[str] = (),
        impact: Sequence[str] = (),
        priority: Priority | str = Priority.MEDIUM,
        decided_by: str | None = None,
        recorded_by: str | None = None,
    ) -> int:
        """Records a decision. It is never changed; a later one may overrule it."""
        bundle = ContentBundle()
        fields = {
            "text": bundle.text("text", text),
            "rationale": bundle.optional("rationale", rationale),
            "alternatives_rejected": bundle.each("alternatives_rejected", alternatives_rejected),
            "impact": bundle.each("impact", impact),
        }
        item = self._text_item("decision", [text, rationale or "", *alternatives_rejected, *impact])
        change = facts.record_decision(
            item,
            priority=priority,
            decided_by=decided_by or self._provenance.actor,
            recorded_by=recorded_by or self._provenance.actor,
            **fields,
        )
        return self._write(bundle, change)

    def confirm_decision(self, decision: int) -> int:
        """Says that a noticed decision is one."""
        return self._command(ContentBundle(), partial(contexts.confirm_decision, decision=decision))

    def dismiss_decision(self, decision: int, *, why: str | None = None) -> int:
        """Says that a noticed decision is none, and takes it out of the windows."""
        bundle = ContentBundle()
        ref = bundle.optional("why", why)
        return self._command(bundle, partial(contexts.dismiss_decision, decision=decision, why=ref))

    def set_goal(
        self,
        text: str,
        *,
        priority: Priority | str = Priority.MEDIUM,
        parent: int | None = None,
        status: Literal["pending", "in-progress"] = "pending",
    ) -> int:
        """Sets a goal, or a sub-goal of one that is open."""
        bundle = ContentBundle()
        ref = bundle.text("text", text)
        wish = partial(
            work.set_goal,
            item=self._text_item("goal", [text]),
            text=ref,
            priority=priority,
            parent=parent,
            status=status,
        )
        if parent is None:
            return self._write(bundle, facts.set_goal(**wish.keywords))
        return self._command(bundle, wish)

    def update_goal(
        self,
        goal: int,
        *,
        text: str | None = None,
        priority: Priority | str | None = None,
        status: Literal["pending", "in-progress"] | None = None,
    ) -> int:
        bundle = ContentBundle()
        wish = partial(
            work.update_goal,
            goal=goal,
            text=bundle.optional("text", text),
            tokens=count_tokens(text, self._encoding()) if text else 0,
            encoding=named_encoding(self._encoding()),
            priority=priority,
            status=status,
        )
        return self._command(bundle, wish)

    def complete_goal(self, goal: int) -> int:
        """Closes a goal, with the sub-goals still open below it."""
        return self._command(ContentBundle(), partial(work.complete_goal, goal=goal))

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
        bundle = ContentBundle()
        ref, blocker = bundle.text("text", text), bundle.optional("blocked_by", blocked_by)
        change = facts.add_action(
            self._text_item("action", [text, blocked_by or ""]),
            text=ref,
            priority=priority,
            layer=layer,
            estimate_minutes=estimate_minutes,
            assignee=assignee,
            due=aware("due", due),
            blocked_by=blocker,
        )
        return self._write(bundle, change)

    def block_action(self, action: int, by: str | None) -> int:
        """Says what an action waits for; None frees it."""
        bundle = ContentBundle()
        return self._command(bundle, partial(work.block_action, action=action, by=bundle.optional("by", by)))

    def complete_action(self, action: int) -> int:
        return self._command(ContentBundle(), partial(work.complete_action, action=action))

    def ask(
        self,
        text: str,
        *,
        context: str | None = None,
        priority: Priority | str = Priority.MEDIUM,
        asked_by: str | None = None,
        blocks: Sequence[int] = (),
    ) -> int:
        """Asks a question that somebody has to answer."""
        bundle = ContentBundle()
        ref, said = bundle.text("text", text), bundle.optional("context", context)
        change = facts.ask_question(
            self._text_item("question", [text, context or ""]),
            text=ref,
            context=said,
            priority=priority,
            asked_by=asked_by or self._provenance.actor,
            blocks=listed("blocks", blocks),
        )
        return self._write(bundle, change)

    def answer(self, question: int, text: str, *, answered_by: str | None = None) -> int:
        bundle = ContentBundle()
        wish = partial(
            work.answer_question,
            question=question,
            answer=bundle.text("text", text),
            answered_by=answered_by or self._provenance.actor,
        )
        return self._command(bundle, wish)

    def add_constraint(self, text: str) -> int:
        """Adds a rule that holds until it is removed."""
        bundle = ContentBundle()
        ref = bundle.text("text", text)
        return self._write(bundle, facts.add_constraint(self._text_item("constraint", [text]), text=ref))

    def remove_constraint(self, constraint: int, *, why: str | None = None) -> int:
        bundle = ContentBundle()
        ref = bundle.optional("why", why)
        return self._command(bundle, partial(work.remove_constraint, constraint=constraint, why=ref))

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
        bundle = ContentBundle()
        ref = bundle.text("text", text)
        criteria = bundle.each("acceptance_criteria", acceptance_criteria)
        change = facts.start_task(
            self._text_item("task", [text, *acceptance_criteria], task=task),
            task=task,
            text=ref,
            acceptance_criteria=criteria,
            depends_on_tasks=listed("depends_on_tasks", depends_on_tasks),
            depends_on_files=listed("depends_on_files", depends_on_files),
        )
        return self._write(bundle, change)

    def complete_task(self, task: str) -> int:
        return self._command(ContentBundle(), partial(work.complete_task, task=task))
