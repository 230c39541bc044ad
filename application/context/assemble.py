"""Assembles a context: chooses items within a budget and renders them to exact bytes."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from backstory.application.contents.items import ItemReader
from backstory.application.context.mentions import newest_mentions
from backstory.application.context.older import OlderItemChooser, OlderItems
from backstory.application.context.render import MadeBefore, PartText, compose, layout_of
from backstory.application.context.request import ContextRequest
from backstory.application.context.token_costs import TokenCosts
from backstory.domain.context import budget as budgets
from backstory.domain.context.composition import (
    PROVIDERS,
    Composed,
    Rendered,
    rendered_item,
    size_of_rendered,
)
from backstory.domain.context.history import NumberedMessage, choose_history, is_visible, newest_messages
from backstory.domain.context.loaded_items import Chosen, Rules, Work
from backstory.domain.context.older import leading_system
from backstory.domain.entities.entities import Mention
from backstory.domain.events import Section
from backstory.domain.log.ranges import as_ranges
from backstory.domain.records import Item
from backstory.domain.values import DEFAULT_ENCODING, Priority

FRAME_TOKENS = 24
"""For what stands around the parts: the tags of the tail, blank lines between parts, a first line."""


@dataclass(frozen=True)
class Assembled:
    """An assembled context, before it is recorded."""

    composed: Composed
    sections: tuple[Section, ...]
    left_out: dict[str, int]
    found: tuple[int, ...]
    """Items that the query found."""
    encoding: str
    reserve: int
    budget: int
    estimated: int | None

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.composed.data).hexdigest()


@dataclass
class Assembler:
    """Assembles one context of the item reader's state."""

    item_reader: ItemReader
    request: ContextRequest
    encoding: str = field(init=False)
    layout: Any = field(init=False)

    def __post_init__(self) -> None:
        self.loaded = self.item_reader.loaded
        self.state = self.loaded.state
        window = self.state.windows.get(self.request.window)
        self.encoding = (window.encoding if window else None) or DEFAULT_ENCODING
        self.model = window.model if window else None
        self.layout = layout_of(self.request.policy.renderer)
        self.costs = TokenCosts(
            self.item_reader,
            self.request.policy,
            self.request.format,
            self.encoding,
            self.layout,
            self.request.agent,
        )
        self.left_out: dict[str, int] = {}
        self.texts: dict[str, PartText] = {}

    def assemble(self) -> Assembled:
        """Returns the context. Raises BudgetTooSmall where the budget does not hold the essentials."""
        state, request, policy = self.state, self.request, self.request.policy
        budget = request.budget_in(state)
        known = state.calibrations.get(self.model or "")
        limit = budgets.Limit(policy, request.reserve, known)
        system = tuple(dict.fromkeys(leading_system(state, request.window, request.agent)))
        # No less for a budget that is too small.
        newest, whole = self._newest(system, min(max(budget, 3_000), policy.history_tokens))
        self._load_standing(system, [one.item.id for one in newest])
        system = tuple(item for item in system if item in self.loaded.messages)
        newest = [
            one._replace(tokens=self.costs.said_tokens(one.item))
            for one in newest
            if one.item.id in self.loaded.messages
        ]
        tokens_of = {item.id: tokens for _, item, tokens in newest}
        rules = self._essential_rules()
        essential = {
            "frame": FRAME_TOKENS + 2 * policy.message_tokens,
            "system": sum(self.costs.said_tokens(state.items[item]) for item in system),
            "rules": self.costs.text_tokens(
                self._told("rules", rules, self.layout.rules(self.loaded, rules))
            ),
        }
        steady, last = sum(essential.values()), newest[0].tokens if newest else 0
        budgets.require_room(steady + last, limit, budget, lambda: _essentials({**essential, "newest": last}))
        allowances = budgets.Allowances(limit.of(budget), steady=steady, newest=last, policy=policy)

        rules, pins_tokens = self._pinned(rules, essential["rules"], allowances.next("rules"))
        allowances.used(pins_tokens)
        summary, summary_tokens = self._summary(allowances.next("summary"))
        allowances.used(summary_tokens)
        history = self._history(newest, allowances.next("history"), whole)
        history_tokens = allowances.used(sum(tokens_of[item.id] for item in history), "history")
        rules, pins_tokens = self._not_said_twice(rules, pins_tokens, essential["rules"], history)
        work, work_tokens = self._work(allowances.next("state"))
        allowances.used(work_tokens)
        entities, sources, entity_tokens = self._entities(allowances.next("entities"), history)
        allowances.used(entity_tokens)
        elsewhere = {*system, *rules.pins, *rules.decisions, *(item.id for item in history)}
        elsewhere |= {state.summary.item} if state.summary is not None else set()
        older = self._older(elsewhere, allowances.next("older"))

        said = tuple(item.id for item in history)
        sections = (
            Section(name="frame", tokens=essential["frame"]),
            *_section("system", essential["system"], system),
            *_section(
                "rules", essential["rules"], (*rules.constraints, *rules.decisions, *self._task_item(rules))
            ),
            *_section("pins", pins_tokens, rules.pins),
            *_section("summary", summary_tokens, () if summary is None else (summary,)),
            *_section("history", history_tokens, said),
            *_section(
                "state",
                work_tokens,
                (*work.goals, *work.actions, *work.questions),
                work.files or None,
            ),
            *_section("entities", entity_tokens, sources, len(entities)),
            *_section("older", older.tokens, older.items),
        )
        chosen = Chosen(system, rules, summary, said, work, tuple(entities), older.items)
        return Assembled(
            composed=compose(
                request.format,
                self.layout,
                self.loaded,
                chosen,
                request.agent,
                MadeBefore(older.lines, self._rendered(history), self.texts),
            ),
            sections=sections,
            left_out=self.left_out,
            found=tuple(item for item in older.items if item in older.matched),
            encoding=self.encoding,
            reserve=limit.reserve(budget),
            budget=budget,
            estimated=None if known is None else known.estimate(sum(section.tokens for section in sections)),
        )

    def _newest(self, system: Sequence[int], most: int) -> tuple[list[NumberedMessage], bool]:
        """The newest messages and exchanges with about their tokens, newest first, and whether these are all: some more
        than fit into `most` tokens, since erased ones drop out."""
        state, request, policy = self.state, self.request, self.request.policy
        newest: list[NumberedMessage] = []
        total = 0
        waiting = set(state.open_calls.values())
        for number, item in newest_messages(state, request.window, request.agent, system, waiting):
            tokens = item.tokens_in(self.encoding) + policy.message_tokens * len(item.versions)
            total += tokens
            if len(newest) >= policy.history_messages or (newest and total > 2 * most):
                return newest, False
            newest.append(NumberedMessage(number, item, tokens))
        return newest, True

    def _load_standing(self, system: Sequence[int], newest: Sequence[int]) -> None:
        """Loads what every context may hold, in few reads."""
        state, policy = self.state, self.request.policy
        decisions = [note.id for note in state.decisions[-policy.decisions :]] if policy.decisions else []
        places = {
            *(place[0] for place in state.constraints.values()),
            *(goal.text[0] for goal in state.goals.values()),
            *(
                version
                for action in state.actions.values()
                for version in _versions(action.text, action.blocked_by)
            ),
            *(
                version
                for asked in state.questions.values()
                for version in _versions(asked.text, asked.context)
            ),
        }
        if state.current_task is not None:
            task = state.tasks[state.current_task]
            places |= set(_versions(task.text, *task.acceptance_criteria))
        self.item_reader.versions([*decisions, *sorted(places)])
        items = [*system, *state.pins, *([state.summary.item] if state.summary else [])]
        visible = [i for i in items if i in state.items and self._may_show(state.items[i])]
        self.item_reader.items([*visible, *newest])
        self._leave_out("erased", len(self.item_reader.erased.intersection(newest)))
        open_exchanges = set(state.open_calls.values())
        self._leave_out("open_call", sum(1 for item in open_exchanges if item in state.items))

    def _may_show(self, item: Item) -> bool:
        return is_visible(item, self.request.window, self.request.agent)

    def _essential_rules(self) -> Rules:
        state, texts = self.state, self.loaded.texts
        constraints = tuple(c for c, place in state.constraints.items() if place in texts)
        newest = state.decisions[-self.request.policy.decisions :] if self.request.policy.decisions else []
        decisions = tuple(note.id for note in newest if self._is_told(note.id))
        task = state.current_task
        if task is not None and not all(
            place in texts for place in (state.tasks[task].text, *state.tasks[task].acceptance_criteria)
        ):
            task = None
        self._leave_out("erased", len(state.constraints) - len(constraints) + len(newest) - len(decisions))
        return Rules(constraints, decisions, task)

    def _is_told(self, decision: int) -> bool:
        """Whether a decision's text and rationale are still there."""
        body = self.loaded.events[decision].body
        refs = [getattr(body, name, None) for name in ("text", "rationale")]
        return all(ref is None or (decision, ref.part) in self.loaded.texts for ref in refs)

    def _task_item(self, rules: Rules) -> tuple[int, ...]:
        return () if rules.task is None else (self.state.tasks[rules.task].item,)

    def _pinned(self, essential: Rules, tokens: int, allowance: int) -> tuple[Rules, int]:
        """The rules with what is pinned, and the pins' tokens: the newest pins first, where not all fit."""
        state = self.state
        elsewhere = {*essential.constraints, *essential.decisions, *self._task_item(essential)}
        pins = [
            pin
            for pin in state.pins
            if pin in self.loaded.messages
            and pin not in elsewhere
            and self._may_show(state.items[pin])
            and state.items[pin].type != "system_prompt"
        ]

        if not pins:
            return essential, 0

        def with_pins(shown: int) -> Rules:
            kept = tuple(sorted(pins[len(pins) - shown :]))
            return Rules(essential.constraints, essential.decisions, essential.task, kept)

        fits = self.costs.most_that_fit(
            len(pins), lambda n: self.layout.rules(self.loaded, with_pins(n)), tokens + allowance
        )
        shown = fits.shown if fits is not None else 0
        self._leave_out("pins_over_share", len(pins) - shown)
        if fits is None or not shown:
            return essential, 0
        rules = with_pins(shown)
        self._told("rules", rules, fits.text)
        return rules, fits.tokens - tokens

    def _not_said_twice(
        self, rules: Rules, pins_tokens: int, bare_tokens: int, history: Sequence[Item]
    ) -> tuple[Rules, int]:
        """The rules without those pins that stand in the history yet: a pin takes their place when they leave it."""
        said = {item.id for item in history}
        if said.isdisjoint(rules.pins):
            return rules, pins_tokens
        fewer = replace(rules, pins=tuple(pin for pin in rules.pins if pin not in said))
        text = self._told("rules", fewer, self.layout.rules(self.loaded, fewer))
        return fewer, self.costs.text_tokens(text) - bare_tokens

    def _summary(self, allowance: int) -> tuple[int | None, int]:
        summary = self.state.summary
        if summary is None or summary.item not in self.loaded.messages:
            return None, 0
        text = self._told("summary", summary.item, self.layout.summary(self.loaded, summary.item))
        tokens = self.costs.text_tokens(text)
        if tokens > allowance:
            self._leave_out("summary_over_share", 1)
            return None, 0
        return summary.item, tokens

    def _history(self, newest: Sequence[NumberedMessage], allowance: int, whole: bool) -> tuple[Item, ...]:
        history = choose_history(newest, self.request.policy, allowance, whole=whole)
        self._leave_out("unimportant", len(history.unimportant))
        return history.items

    def _work(self, allowance: int) -> tuple[Work, int]:
        """Goals, actions, questions and files, and their tokens beyond those given: the most urgent first, where not
        all fit. Files come behind the goals that are as usual as they are."""
        state, texts = self.state, self.loaded.texts
        entries = [("goal", id_, goal.priority) for id_, goal in state.goals.items() if goal.text in texts]
        entries += [
            ("action", id_, action.priority)
            for id_, action in state.actions.items()
            if action.text in texts and (action.blocked_by is None or action.blocked_by in texts)
        ]
        entries += [
            ("question", id_, asked.priority)
            for id_, asked in state.questions.items()
            if asked.text in texts and (asked.context is None or asked.context in texts)
        ]
        entries += [("file", place, Priority.MEDIUM) for place in range(len(state.focus.files))]
        if not entries:
            return Work(), 0
        order, kinds = list(Priority), ("goal", "file", "action", "question")
        entries.sort(
            key=lambda entry: (order.index(Priority(entry[2])), min(kinds.index(entry[0]), 2), entry[1])
        )

        def first(count: int) -> Work:
            shown = {kind: sorted(i for one, i, _ in entries[:count] if one == kind) for kind in kinds}
            return Work(
                goals=tuple(shown["goal"]),
                actions=tuple(shown["action"]),
                questions=tuple(shown["question"]),
                files=len(shown["file"]),
            )

        fits = self.costs.most_that_fit(
            len(entries), lambda n: self.layout.work(self.loaded, first(n)), allowance
        )
        self._leave_out("state_over_share", len(entries) - (fits.shown if fits is not None else 0))
        if fits is None:
            return Work(), 0
        work = first(fits.shown)
        self._told("state", work, fits.text)
        return work, fits.tokens

    def _entities(
        self, allowance: int, history: Sequence[Item]
    ) -> tuple[Sequence[Mention], Sequence[int], int]:
        policy = self.request.policy
        if not policy.entities or not policy.entity_messages:
            return (), (), 0
        mentions, sources = newest_mentions(self.item_reader, self.request, {item.id for item in history})
        fits = self.costs.most_that_fit(
            len(mentions), lambda shown: str(self.layout.entities(mentions[:shown])), allowance
        )
        if fits is None or not fits.shown:
            return (), (), 0
        named = mentions[: fits.shown]
        self._told("entities", named, fits.text)
        return named, sources, fits.tokens

    def _older(self, elsewhere: set[int], allowance: int) -> OlderItems:
        apart = frozenset(elsewhere.union(self.state.open_calls.values(), self.item_reader.erased))
        older = OlderItemChooser(self.state, self.request, self.costs).choose(apart, allowance)
        self._leave_out("erased", older.erased)
        self._leave_out("older", older.left_out)
        return older

    def _rendered(self, history: Sequence[Item]) -> dict[int, Rendered]:
        """The messages in a provider's format, each rendered once."""
        format, agent = self.request.format, self.request.agent
        if format not in PROVIDERS:
            return {}
        return self.item_reader.derive(
            history,
            ("rendered", format, agent),
            lambda item: rendered_item(format, self.loaded.heard(item, agent)),
            size_of_rendered,
        )

    def _told(self, part: str, shown: Any, text: str) -> str:
        """The text of a part, which need not be made again where the context shows the same."""
        self.texts[part] = PartText(shown, text)
        return text

    def _leave_out(self, reason: str, count: int) -> None:
        if count > 0:
            self.left_out[reason] = self.left_out.get(reason, 0) + count


def _section(name: str, tokens: int, items: Sequence[int], shown: int | None = None) -> tuple[Section, ...]:
    """A part of the context, if it has one."""
    return (Section(name=name, tokens=tokens, items=as_ranges(items), shown=shown),) if tokens else ()


def _versions(*places: tuple[int, int] | None) -> list[int]:
    return [place[0] for place in places if place is not None]


def _essentials(tokens: Mapping[str, int]) -> str:
    return (
        f"the system prompt ({tokens['system']}), the constraints, last decisions and task ({tokens['rules']}), "
        f"the newest message ({tokens['newest']}) and what stands around them ({tokens['frame']})"
    )
