"""Assembles a context: chooses items within a budget and renders them to exact bytes."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from backstory.application.contents.items import ItemReader
from backstory.application.context.cut import cut_to_fit
from backstory.application.context.earlier import EarlierItemChooser, EarlierItems
from backstory.application.context.implied import ImpliedQuery, implied_query
from backstory.application.context.memories import MemoryChooser, ShownMemories
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
from backstory.domain.context.history import (
    NumberedMessage,
    also_asked,
    always_said,
    choose_history,
    is_of_user,
    is_visible,
    newest_messages,
)
from backstory.domain.context.loaded_items import Chosen, Rules, Work
from backstory.domain.context.older import APART, leading_system
from backstory.domain.context.summary import SummaryLine, tells
from backstory.domain.entities.entities import Mention
from backstory.domain.events import Section
from backstory.domain.log.ranges import as_ranges, from_ranges
from backstory.domain.records import Item
from backstory.domain.values import DEFAULT_ENCODING, Priority
from backstory.domain.window.selection import MEMORY

SAID_ELSEWHERE = "said_elsewhere"
"""Why an item is left out whose words the context has already."""
SOME_MORE = 1.25
"""Of the budget, the tokens of messages that are read, since erased ones drop out."""
READ_AT_ONCE = 20
"""Messages among which those of the user are looked for, until there are enough."""
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
    ranker: int | None
    """The version of the ranking by which items were chosen."""
    implied: tuple[int, ...] | None
    """The items of the implied query that they were ranked against."""
    memories: ShownMemories
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


class Conversation(NamedTuple):
    """The messages and exchanges, newest first."""

    newest: list[NumberedMessage]
    asked: list[NumberedMessage]
    """The newest messages of the user, also from before these."""
    whole: bool
    """Whether nothing was said before the newest."""


class ShownSummary(NamedTuple):
    """The summaries that are shown, and so many of their lines."""

    items: tuple[int, ...] = ()
    lines: int = 0
    tokens: int = 0


Entry = tuple[str, int]
"""An entry of the hot state: its kind, and its item or place."""


@dataclass
class Assembler:
    """Assembles one context of the item reader's state."""

    item_reader: ItemReader
    request: ContextRequest
    encoding: str = field(init=False)
    layout: Any = field(init=False)
    files_left_out: int = field(init=False, default=0)

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
        self.reasons: dict[int, str] = {}
        """Why items are left out, where it is not for want of room."""
        self.texts: dict[str, PartText] = {}

    def assemble(self) -> Assembled:
        """Returns the context. Raises BudgetTooSmall where the budget does not hold the essentials."""
        state, request, policy = self.state, self.request, self.request.policy
        budget = request.budget_in(state)
        calibration = state.calibrations.get(self.model or "")
        for_query = request.query is not None
        limit = budgets.Limit(policy, request.reserve, calibration, for_query=for_query)
        shares = policy.shares_of(limit.of(budget), for_query=for_query)

        # What is always there.
        system, said = self._read(budget)
        always = always_said(said.newest, said.asked, for_query=for_query)
        rules, task = self._rules(), self._task()
        essential = self._essential_tokens(system, rules, task, always)
        hot_state = self._hot_state_entries()
        hot_tokens = self.costs.text_tokens(self._work_text(hot_state))
        others = sum(essential.values()) + min(hot_tokens, int(policy.hot_state(budget)))
        said, cut = self._cut(said, limit.of(budget) - others)
        if cut is not None:
            always[said.newest[0].item.id] = said.newest[0]
            essential["said"] = sum(one.tokens for one in always.values())
        needed = sum(essential.values())
        budgets.require_room(
            self._named(essential, system, rules, task, always),
            hot_tokens,
            limit,
            budget,
            policy,
        )
        room = limit.of(budget) - needed
        work, work_tokens = self._work(hot_state, min(room, policy.most_hot_state(budget)))

        # What there is room for, by share.
        instruction = said.asked[0].item if said.asked else None
        implied = None if for_query else implied_query(self.loaded, instruction, task)
        memories = self._memories(implied, int(policy.memory_share * (room - work_tokens)))
        artifacts, artifact_tokens = self._artifacts(int(policy.artifact_share * (room - work_tokens)))
        room -= memories.tokens + artifact_tokens
        for_asked = room - work_tokens
        if for_query:
            # What is found is worth more than a long message that was said before the newest one.
            for_asked = min(for_asked, int(shares.get("history", 0) * room))
        kept = always | also_asked(said.asked, always, for_asked)
        allowances = budgets.Allowances(
            limit.of(budget),
            steady=needed - essential["said"],
            hot_state=work_tokens + memories.tokens + artifact_tokens,
            said=sum(one.tokens for one in kept.values()),
            shares=shares,
        )
        rules, pins_tokens = self._pinned(rules, essential["rules"], allowances.next("pins"))
        allowances.used(pins_tokens)
        most_of_compactions = 0 if for_query else allowances.free // 2
        summary = self._summary(rules, allowances.next("summary"), most_of_compactions)
        allowances.used(summary.tokens)
        history = self._history(said, kept, allowances)
        allowances.used(self._tokens_of(said, history), "history")
        rules, pins_tokens = self._not_said_twice(rules, pins_tokens, essential["rules"], history)
        entities, sources, entity_tokens = self._entities(allowances.next("entities"))
        allowances.used(entity_tokens)
        apart = {
            *system,
            *artifacts,
            *rules.pins,
            *rules.decisions,
            *summary.items,
            *(item.id for item in history),
        }
        apart |= {item for item, reason in self.reasons.items() if reason == SAID_ELSEWHERE}
        for_hot, share = allowances.next("hot"), allowances.next("older")
        if for_query or (said.whole and len(history) == len(said.newest)):
            # There is nothing to shorten.
            share = allowances.free
        older = self._older(apart, share, for_hot, implied)
        allowances.used(older.tokens)
        history = self._filled(said, history, older, allowances.free)
        apart |= older.lines.keys()
        earlier, earlier_tokens, older = self._earlier(system, said, apart, older, allowances.free, implied)

        shown = tuple(item.id for item in history)
        open_work = (*work.goals, *work.actions, *work.questions)
        role_tokens = 0 if work.role is None else self.costs.text_tokens(self._role_text(work.role))
        sections = (
            Section(name="frame", tokens=essential["frame"]),
            *_section("tools", essential["tools"], ()),
            *_section("system", essential["system"], system),
            *_section("rules", essential["rules"], (*rules.constraints, *rules.decisions)),
            *_section("pins", pins_tokens, rules.pins),
            *_section("summary", summary.tokens, summary.items, summary.lines),
            *_section("task", essential["task"], () if task is None else (state.tasks[task].item,)),
            *_section("history", self._tokens_of(said, history), shown, cut),
            *_section("role", role_tokens, ()),
            *_section("state", work_tokens - role_tokens, open_work, work.files or None),
            *_section("entities", entity_tokens, sources, len(entities)),
            *_section("memory", memories.tokens, memories.items),
            *_section("artifacts", artifact_tokens, artifacts),
            *_section("older", older.tokens, older.items, further=older.further),
            *_section("earlier", earlier_tokens, earlier.items),
        )
        chosen = Chosen(
            system,
            rules,
            task,
            summary.items,
            summary.lines,
            shown,
            cut,
            work,
            tuple(entities),
            older.items,
            earlier.items,
            memories.items,
            artifacts,
        )
        whole = history if cut is None else history[:-1]
        made = MadeBefore(earlier.texts | older.lines, self._rendered(whole), self.texts)
        tokens = sum(section.tokens for section in sections)
        ranker = older.ranker or earlier.ranker or memories.ranker
        return Assembled(
            composed=compose(request.format, self.layout, self.loaded, chosen, request.agent, made),
            sections=sections,
            left_out=self._left_out(sections),
            found=tuple(item for item in older.items if item in older.matched),
            ranker=ranker,
            implied=implied.items if implied is not None and ranker is not None else None,
            memories=memories,
            encoding=self.encoding,
            reserve=limit.reserve(budget),
            budget=budget,
            estimated=None if calibration is None else calibration.estimate(tokens),
        )

    # What is always there

    def _read(self, budget: int) -> tuple[tuple[int, ...], Conversation]:
        """Loads what every context may hold, in few reads, and the newest of the conversation."""
        request = self.request
        system = tuple(dict.fromkeys(leading_system(self.state, request.window, request.agent)))
        # No less for a budget that is too small.
        newest, whole = self._newest(system, SOME_MORE * max(budget, 3_000))
        self._load_standing(system, [one.item.id for one in newest])
        asked = self._asked(system)
        known = self.loaded.messages
        newest, asked = (
            [one._replace(tokens=self.costs.said_tokens(one.item)) for one in said if one.item.id in known]
            for said in (newest, asked)
        )
        return tuple(item for item in system if item in known), Conversation(newest, asked, whole)

    def _said(self, system: Sequence[int]) -> Iterator[NumberedMessage]:
        """Messages and exchanges with about their tokens, newest first."""
        state, request = self.state, self.request
        waiting = set(state.open_calls.values())
        for number, item in newest_messages(state, request.window, request.agent, system, waiting):
            framed = request.policy.message_tokens * len(item.versions)
            yield NumberedMessage(number, item, item.tokens_in(self.encoding) + framed)

    def _newest(self, system: Sequence[int], most: float) -> tuple[list[NumberedMessage], bool]:
        """The newest of the conversation, in so many tokens, and whether that is all."""
        newest: list[NumberedMessage] = []
        total = 0
        for one in self._said(system):
            total += one.tokens
            if newest and total > most:
                return newest, False
            newest.append(one)
        return newest, True

    def _asked(self, system: Sequence[int]) -> list[NumberedMessage]:
        """The newest messages of the user that can be read, loaded some at a time."""
        found: list[NumberedMessage] = []
        most = self.request.policy.user_messages
        by_user = (one for one in self._said(system) if is_of_user(one.item))
        while len(found) < most and (some := list(islice(by_user, READ_AT_ONCE))):
            self.item_reader.items(one.item.id for one in some)
            found += [one for one in some if self._is_heard_as_users(one.item)]
        return found[:most]

    def _is_heard_as_users(self, item: Item) -> bool:
        """Whether it can be read and is no agent's own: what an agent says has the role of a user unless it is said
        otherwise. A provider's message has the role that was chosen."""
        messages = self.loaded.messages.get(item.id)
        if messages is None:
            return False
        by_agent = item.agent is not None and (
            item.agent == self.request.agent or item.agent in self.state.agents
        )
        return not by_agent or messages[0].format is not None

    def _load_standing(self, system: Sequence[int], newest: Sequence[int]) -> None:
        state = self.state
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
        self.item_reader.versions([*(note.id for note in state.decisions), *sorted(places)])
        items = [*system, *state.pins, *self._summaries]
        visible = [i for i in items if i in state.items and self._may_show(state.items[i])]
        self.item_reader.items([*visible, *newest])

    def _may_show(self, item: Item) -> bool:
        return is_visible(item, self.request.window, self.request.agent)

    def _cut(self, said: Conversation, room: int) -> tuple[Conversation, int | None]:
        """The conversation with so much room for its newest exchange besides what else is essential, and the characters
        that its results are cut to for that."""
        if not said.newest:
            return said, None
        newest = said.newest[0]
        cut = cut_to_fit(newest.item, newest.tokens, room + newest.tokens, self.costs)
        if cut is None:
            return said, None
        shorter = newest._replace(tokens=cut.tokens)
        return said._replace(newest=[shorter, *said.newest[1:]]), cut.characters

    def _rules(self) -> Rules:
        """Constraints and the newest decisions, each once."""
        state, texts = self.state, self.loaded.texts
        constraints = tuple(c for c, place in state.constraints.items() if place in texts)
        wanted = self.request.policy.decisions
        told: dict[str, int] = {}
        for note in reversed(state.decisions):
            if not self._is_told(note.id):
                continue
            text = " ".join(self.layout.decision_text(self.loaded, note.id).split()).casefold()
            if text in told:
                self.reasons[note.id] = SAID_ELSEWHERE
            elif len(told) < wanted:
                told[text] = note.id
        return Rules(constraints, tuple(sorted(told.values())))

    def _task(self) -> str | None:
        state, texts = self.state, self.loaded.texts
        task = state.tasks.get(state.current_task or "")
        if task is None or not all(place in texts for place in (task.text, *task.acceptance_criteria)):
            return None
        return state.current_task

    def _is_told(self, decision: int) -> bool:
        """Whether a decision's text and rationale are still there."""
        body = self.loaded.events[decision].body
        refs = [getattr(body, name, None) for name in ("text", "rationale")]
        return all(ref is None or (decision, ref.part) in self.loaded.texts for ref in refs)

    def _essential_tokens(
        self, system: Sequence[int], rules: Rules, task: str | None, always: Mapping[int, NumberedMessage]
    ) -> dict[str, int]:
        costs, per_message = self.costs, self.request.policy.message_tokens
        rules_text = self._told("rules", rules, self.layout.rules(self.loaded, rules))
        task_text = "" if task is None else self.layout.task(self.loaded, task, self._in_words)
        return {
            "tools": costs.text_tokens((self.request.tools or b"").decode()),
            "system": sum(costs.said_tokens(self.state.items[item]) for item in system),
            "rules": costs.text_tokens(rules_text),
            "task": costs.text_tokens(task_text) + (per_message if task is not None else 0),
            "said": sum(one.tokens for one in always.values()),
            "frame": FRAME_TOKENS + 2 * per_message,
        }

    @property
    def _in_words(self) -> bool:
        return self.request.format == "markdown"

    def _named(
        self,
        tokens: Mapping[str, int],
        system: Sequence[int],
        rules: Rules,
        task: str | None,
        always: Mapping[int, NumberedMessage],
    ) -> dict[str, int]:
        """The essentials by what they are and which items, with their tokens."""
        said = {
            f"the newest {_kind_of(one.item)} {_items_named([item])}": one.tokens
            for item, one in always.items()
        }
        ruling = (*rules.constraints, *rules.decisions)
        current = [] if task is None else [self.state.tasks[task].item]
        return {
            "the tools": tokens["tools"],
            f"the system prompt {_items_named(system)}": tokens["system"],
            f"constraints and last decisions {_items_named(ruling)}": tokens["rules"],
            f"the current task {_items_named(current)}": tokens["task"],
            **said,
            "what stands around them": tokens["frame"],
        }

    # The hot state

    def _hot_state_entries(self) -> list[Entry]:
        """Role and layer, goals, files, actions, questions: the most urgent first. Questions come after all others,
        and files behind the goals that are as usual as they are."""
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
        order, kinds = list(Priority), ("goal", "file", "action", "question")

        def urgency(entry: tuple[str, int, str]) -> tuple[bool, int, int, int]:
            kind, number, priority = entry
            return kind == "question", order.index(Priority(priority)), kinds.index(kind), number

        ranked = [(kind, number) for kind, number, _ in sorted(entries, key=urgency)]
        return [*([("role", 0)] if self._role_text(self.request.agent or "") else []), *ranked]

    def _role_text(self, agent: str) -> str:
        return str(self.layout.role(self.loaded, agent))

    def _work_of(self, entries: Sequence[Entry]) -> Work:
        shown = {kind: tuple(sorted(i for one, i in entries if one == kind)) for kind, _ in entries}
        return Work(
            role=(self.request.agent or "") if "role" in shown else None,
            goals=shown.get("goal", ()),
            actions=shown.get("action", ()),
            questions=shown.get("question", ()),
            files=len(shown.get("file", ())),
        )

    def _work_text(self, entries: Sequence[Entry]) -> str:
        return str(self.layout.work(self.loaded, self._work_of(entries)))

    def _work(self, entries: Sequence[Entry], allowance: int) -> tuple[Work, int]:
        """The hot state, and its tokens: the most urgent entries, where not all fit."""
        fits = self.costs.most_that_fit(len(entries), lambda n: self._work_text(entries[:n]), allowance)
        shown = fits.shown if fits is not None else 0
        for kind, number in entries[shown:]:
            if kind != "file":
                self.reasons[number] = "state_over_share"
        self.files_left_out = sum(kind == "file" for kind, _ in entries[shown:])
        work = self._work_of(entries[:shown])
        if fits is None or not shown:
            return work, 0
        self._told("state", work, fits.text)
        return work, fits.tokens

    # What there is room for

    def _pinned(self, essential: Rules, tokens: int, allowance: int) -> tuple[Rules, int]:
        """The rules with what is pinned, and the pins' tokens: the newest pins first, where not all fit."""
        state = self.state
        elsewhere = {*essential.constraints, *essential.decisions, *self._summaries}
        pins = [
            pin
            for pin in state.pins
            if pin in self.loaded.messages
            and pin not in elsewhere
            and self._may_show(state.items[pin])
            and state.items[pin].type not in ("system_prompt", "task")
        ]

        if not pins:
            return essential, 0

        def with_pins(shown: int) -> Rules:
            return replace(essential, pins=tuple(sorted(pins[len(pins) - shown :])))

        fits = self.costs.most_that_fit(
            len(pins), lambda n: self.layout.rules(self.loaded, with_pins(n)), tokens + allowance
        )
        shown = fits.shown if fits is not None else 0
        self.reasons.update(dict.fromkeys(pins[: len(pins) - shown], "pins_over_share"))
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

    @cached_property
    def _summaries(self) -> tuple[int, ...]:
        """The summaries that stand for what has left: those of compactions, and the session's own."""
        state, window = self.state, self.request.window
        compacted = [state.items[id] for id in state.compactions if id in state.items]
        found = [item.id for item in compacted if item.type in ("summary", MEMORY) and window in item.windows]
        return (*found, *((state.summary.item,) if state.summary is not None else ()))

    def _summary(self, rules: Rules, share: int, most_of_compactions: int) -> ShownSummary:
        """The summaries in one, by lines: those of compactions, for which they have more than the share if need be,
        then of the session's own as many as fit."""
        items = tuple(item for item in self._summaries if item in self.loaded.messages)
        lines = self.layout.summary_lines(self.loaded, items, rules)
        if not lines:
            self.reasons.update(dict.fromkeys(items, SAID_ELSEWHERE))
            return ShownSummary()
        first = max((place for place, line in enumerate(lines, 1) if line.of_compaction), default=0)
        needed = self.costs.text_tokens(self.layout.summary(lines[:first]))
        allowance = max(share, min(needed, most_of_compactions))
        fits = self.costs.most_that_fit(len(lines), lambda n: self.layout.summary(lines[:n]), allowance)
        if fits is None or not fits.shown:
            self.reasons.update(dict.fromkeys(items, "summary_over_share"))
            return ShownSummary()
        self._told("summary", (items, fits.shown), fits.text)
        told = self._decisions_in(lines[: fits.shown], rules)
        self.reasons.update(dict.fromkeys(told, SAID_ELSEWHERE))
        return ShownSummary(items, fits.shown, fits.tokens)

    def _decisions_in(self, lines: Sequence[SummaryLine], rules: Rules) -> tuple[int, ...]:
        """The decisions that the summary tells of."""
        told = [line.bare for line in lines if line.section == "Key decisions"]
        notes = [note.id for note in self.state.decisions if note.id not in rules.decisions]
        known = {note: self.layout.decision_text(self.loaded, note) for note in notes if self._is_told(note)}
        return tuple(note for note, text in known.items() if any(tells(line, text) for line in told))

    def _memories(self, implied: ImpliedQuery | None, allowance: int) -> ShownMemories:
        query = self.request.query or (implied.text if implied is not None else None)
        chooser = MemoryChooser(self.item_reader.runtime, self.state, self.request, self.costs)
        memories = chooser.choose(query, allowance)
        self.loaded.memories.update({one.id: one for one in memories.texts})
        return memories

    def _artifacts(self, allowance: int) -> tuple[tuple[int, ...], int]:
        """Loaded artifacts that fit whole, those that are always loaded first, then those accessed last; one that does
        not fit is an older item like any other."""
        state = self.state
        live = [
            (held.load_layer, -item.touched, item.id)
            for held in state.loaded.values()
            if (item := state.items.get(held.item)) is not None and self._may_show(item)
        ]
        if not live or allowance <= 0:
            return (), 0
        self.item_reader.items(id for _, _, id in live)
        shown: list[int] = []
        tokens = 0
        for _, _, id in sorted(live):
            if id not in self.loaded.messages or id in state.pins:
                continue
            needed = self.costs.text_tokens(self.layout.artifacts(self.loaded, [*shown, id]))
            if needed <= allowance:
                shown.append(id)
                tokens = needed
        # In the order in which they came, so that a further one moves nothing.
        in_order = tuple(sorted(shown))
        text = self._told("artifacts", in_order, self.layout.artifacts(self.loaded, in_order))
        return in_order, self.costs.text_tokens(text) if shown else tokens

    def _history(
        self, said: Conversation, kept: Mapping[int, NumberedMessage], allowances: budgets.Allowances
    ) -> tuple[Item, ...]:
        """The newest of the conversation: all of it where that fits besides entities and HOT items; with a query, if
        nothing has left the window, and else no more than its own share."""
        policy, searched = self.request.policy, self.request.query is not None
        allowance = allowances.next("history")
        if searched:
            # What pins and summary leave goes to what is found.
            allowance = min(allowance, allowances.share("history"))
        if said.whole and not (searched and self.state.compactions):
            tokens = sum(one.tokens for one in said.newest)
            room = allowances.besides(*(() if searched else ("entities", "hot")))
            allowance = max(allowance, tokens) if tokens <= room else allowance
        history = choose_history(said.newest, kept, policy, allowance=allowance, whole=said.whole)
        self.reasons.update({item.id: "unimportant" for item in history.unimportant})
        return history.items

    def _tokens_of(self, said: Conversation, history: Sequence[Item]) -> int:
        tokens = {one.item.id: one.tokens for one in (*said.newest, *said.asked)}
        return sum(tokens[item.id] for item in history)

    def _entities(self, allowance: int) -> tuple[Sequence[Mention], Sequence[int], int]:
        policy = self.request.policy
        if not policy.entities or not policy.entity_messages:
            return (), (), 0
        mentions, sources = newest_mentions(self.item_reader, self.request)
        fits = self.costs.most_that_fit(
            len(mentions), lambda shown: str(self.layout.entities(mentions[:shown])), allowance
        )
        if fits is None or not fits.shown:
            return (), (), 0
        named = mentions[: fits.shown]
        self._told("entities", named, fits.text)
        return named, sources, fits.tokens

    def _older(
        self, elsewhere: set[int], allowance: int, for_hot: int, implied: ImpliedQuery | None
    ) -> OlderItems:
        apart = frozenset(elsewhere.union(self.state.open_calls.values(), self.item_reader.erased))
        chooser = OlderItemChooser(self.item_reader, self.request, self.costs)
        return chooser.choose(apart, allowance, for_hot, implied)

    def _earlier(
        self,
        system: Sequence[int],
        said: Conversation,
        apart: set[int],
        older: OlderItems,
        free: int,
        implied: ImpliedQuery | None,
    ) -> tuple[EarlierItems, int, OlderItems]:
        """The messages and exchanges before the history, shortened, with their tokens; and the older items, with those
        that there is room for whole."""
        if self.request.query is not None:
            return EarlierItems(), 0, older
        chooser = EarlierItemChooser(self.request, self.costs)
        unsaid = (one.item for one in self._said(system) if one.item.id not in apart)
        earlier = chooser.choose(unsaid, free, implied)
        self.reasons.update(dict.fromkeys(earlier.repeated, SAID_ELSEWHERE))
        left = free - chooser.tokens(earlier)
        earlier, older = chooser.tell_whole([one.item for one in said.newest], earlier, older, left)
        return earlier, chooser.tokens(earlier), older

    def _filled(
        self, said: Conversation, history: tuple[Item, ...], older: OlderItems, free: int
    ) -> tuple[Item, ...]:
        """The history with the newest that a query has left room for."""
        if self.request.query is None:
            return history
        shown = {item.id: item for item in history}
        for one in said.newest:
            if one.item.id not in shown and one.item.id not in older.lines and one.tokens <= free:
                shown[one.item.id] = one.item
                free -= one.tokens
        return tuple(shown[item] for item in sorted(shown))

    def _left_out(self, sections: Sequence[Section]) -> dict[str, int]:
        """The number of items that could be shown and are in no section, by reason; and of files in focus."""
        elsewhere = ("entities", "memory")
        shown = {item for one in sections if one.name not in elsewhere for item in from_ranges(one.items)}
        reasons = self.reasons | dict.fromkeys(self.state.open_calls.values(), "open_call")
        reasons |= dict.fromkeys(self.item_reader.erased, "erased")
        window, agent = self.request.window, self.request.agent
        found = Counter(
            reasons.get(item.id) or ("not_current" if item.type in APART else "older")
            for item in self.state.items.values()
            if item.id not in shown and is_visible(item, window, agent)
        )
        if self.files_left_out:
            found["files_over_share"] = self.files_left_out
        return dict(found)

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


def _section(
    name: str, tokens: int, items: Sequence[int], shown: int | None = None, further: Sequence[int] = ()
) -> tuple[Section, ...]:
    """A part of the context, if it has one."""
    if not tokens:
        return ()
    return (
        Section(name=name, tokens=tokens, items=as_ranges(items), shown=shown, further=as_ranges(further)),
    )


def _items_named(items: Sequence[int]) -> str:
    return f"({'item' if len(items) == 1 else 'items'} {as_ranges(items)})"


def _kind_of(item: Item) -> str:
    if item.type == "tool_exchange":
        return "tool exchange"
    return "user message" if is_of_user(item) else "message"


def _versions(*places: tuple[int, int] | None) -> list[int]:
    return [place[0] for place in places if place is not None]
