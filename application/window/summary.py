"""The summary of a compaction: by the store's summarizer, with clarifications, changes of layer, and the names of
files, functions and errors that the model may need again."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.context.mentions import mentions_by_item
from backstory.application.context.noticing import own_text
from backstory.application.context.summing_up import day_of, sum_up
from backstory.application.runtime import Runtime
from backstory.domain.entities.entities import EXTRACTOR_VERSION
from backstory.domain.errors import InvalidInput, SummaryRefused
from backstory.domain.events import ItemsCompacted, LayerChanged, MessageAdded
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.records import CONVERSATION_TYPES, Item
from backstory.domain.state import ContextState
from backstory.domain.summaries.document import most_used
from backstory.domain.summaries.lines import cut, one_line
from backstory.domain.summaries.offline import SourceMessage, SummaryDocument, SummarySource, tools_used
from backstory.domain.values import DEFAULT_ENCODING
from backstory.domain.window.selection import Selection, named_most
from backstory.infrastructure.llm.summarizers import Summarizer
from backstory.infrastructure.llm.tokens import count_lines

SHARE_OF_WORDS = 0.5
"""The summarizer's share of the summary's tokens. The rest is for clarifications and names."""
MOST_CLARIFICATIONS = 10
LONGEST_CLARIFICATION = 160
MOST_NAMES = 400
"""The most names that one summary passes on to the next."""
LONGEST_NAME = 100


class CompactionSummary(NamedTuple):
    """A summary, and how it was made."""

    text: str
    document: bytes
    """The document that the next compaction builds on."""
    tokens: int
    summarizer: str
    model: str | None
    fallback: str | None


class Gathered(NamedTuple):
    """The contents of the items of a selection."""

    said: tuple[SourceMessage, ...]
    clarifications: tuple[str, ...]
    layers: tuple[tuple[int, int], ...]
    """Changes of layer: the version of each, and the layer."""
    names: tuple[str, ...]
    previous: SummaryDocument | None
    decisions: tuple[tuple[str, str | None], ...]


class SummaryMaker:
    """Makes summaries of items of one state."""

    def __init__(
        self,
        runtime: Runtime,
        stream: UUID,
        state: ContextState,
        *,
        window: str,
        policy: WindowPolicy,
        summarizer: Summarizer | None = None,
    ) -> None:
        found = state.windows[window]
        self._runtime, self._stream, self._state = runtime, stream, state
        self._policy = policy
        self._summarizer = summarizer or runtime.summarizer
        self._most = policy.most_summary_tokens(found.limit)
        self._count: Callable[[str], int] = partial(count_lines, encoding=found.encoding or DEFAULT_ENCODING)
        self.item_reader = ItemReader.of_newest(runtime, stream, state, whole=True)

    def clarifications(self, items: Sequence[int]) -> tuple[int, ...]:
        """The messages that are clarifications."""
        self.item_reader.items(items)
        return tuple(item for item in items if self._is_clarification(item))

    def summary_of(self, selection: Selection) -> CompactionSummary:
        """The summary of the summarized items. Tools of dropped items are counted in it."""
        gathered = self._gathered(selection)
        source = SummarySource(
            previous=gathered.previous, messages=gathered.said, decisions=gathered.decisions
        )
        layers = self._layer_lines(gathered.layers)
        room = self._most - self._count(_block("Layers", layers))
        most_words = max(1, min(int(self._most * SHARE_OF_WORDS), room))
        made, fallback = None, None
        try:
            made = sum_up(self._summarizer, source, most_tokens=most_words, count=self._count)
            fallback = made.fallback
        except SummaryRefused as refused:
            # There was nothing to say in words, as of exchanges alone: the names and tools below still tell.
            fallback = str(refused)
        # A summarizer counts no better than this, and lets go of tools first where it has little room.
        counted = {"tools": tools_used(source)}
        document = (made.document if made is not None else SummaryDocument()).model_copy(update=counted)
        text = self._fitted(selection, gathered, layers, document)
        kept = {
            "summary": json.loads(document.encode()),
            "names": gathered.names[:MOST_NAMES],
            "layers": gathered.layers,
        }
        return CompactionSummary(
            text,
            json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode(),
            self._count(text),
            made.summarizer if made is not None else "names/1",
            made.model if made is not None else None,
            fallback,
        )

    def _gathered(self, selection: Selection) -> Gathered:
        self.item_reader.items(selection.leaving)
        items = [self._state.items[item] for item in selection.leaving]
        known = [item for item in items if item.id in self.item_reader.loaded.messages]
        private = {item.id for item in known if item.private}
        known = [item for item in known if item.id not in private]
        earlier = [body for item in known if (body := self._compaction_of(item)) is not None]
        previous, names, layers = self._built_on(earlier)
        # Tool exchanges that are dropped are counted; decisions are in the record, and in the session's own summary.
        untold = {item.id for item in known if item.type == "decision" and item.id in selection.dropped}
        told = [item for item in known if item.id not in untold and self._compaction_of(item) is None]
        decided = {note.id for note in self._state.decisions}
        return Gathered(
            said=tuple(self._message(item) for item in told if item.type != "decision"),
            clarifications=tuple(
                cut(one_line(self.item_reader.loaded.item_text(item)), LONGEST_CLARIFICATION)
                for item in told
                if self._is_clarification(item.id)
            )[-MOST_CLARIFICATIONS:],
            layers=tuple(sorted({*layers, *self._layers(selection)})),
            names=tuple(dict.fromkeys((*named_most(self._named(told)), *names))),
            previous=previous,
            decisions=tuple(
                (one_line(self.item_reader.loaded.item_text(item)), None)
                for item in told
                if item.id in decided or item.type == "decision"
            ),
        )

    def _message(self, item: Item) -> SourceMessage:
        messages = self.item_reader.loaded.messages[item.id]
        parts = [part for message in messages for part in message.parts]
        said = item.type in CONVERSATION_TYPES
        return SourceMessage(
            item=item.id,
            role=item.role or "agent",
            agent=item.agent,
            text=own_text(messages) if said else self.item_reader.loaded.own_words(item),
            tools=tuple(part.name for part in parts if part.kind == "tool_use" and part.name),
            importance=item.importance,
            day=day_of(item, self._state),
            errors=any(
                part.kind == "tool_result" and b'"is_error"' in (part.extras or b"") for part in parts
            ),
        )

    def _is_clarification(self, item: int) -> bool:
        event = self.item_reader.loaded.events.get(item)
        body = event.body if event is not None else None
        return isinstance(body, MessageAdded) and body.kind == self._policy.clarification_kind

    def _named(self, items: Sequence[Item]) -> list[list[str]]:
        """The names that each item mentions."""
        mentioned = mentions_by_item(self.item_reader, [item.id for item in items], EXTRACTOR_VERSION)
        return [
            [name for name in said.named if len(name) <= LONGEST_NAME and name.isprintable()]
            for said in mentioned.values()
        ]

    def _compaction_of(self, item: Item) -> ItemsCompacted | None:
        """The compaction that brought a summary, if it kept a document."""
        event = self.item_reader.loaded.events.get(item.id)
        body = event.body if event is not None else None
        return body if isinstance(body, ItemsCompacted) and body.document is not None else None

    def _built_on(
        self, earlier: Sequence[ItemsCompacted]
    ) -> tuple[SummaryDocument | None, list[str], list[tuple[int, int]]]:
        """The documents of earlier summaries, merged into the newest one, with their names and changes of layer."""
        documents: list[SummaryDocument] = []
        names: list[str] = []
        layers: list[tuple[int, int]] = []
        versions = [item.id for item in self._state.items.values() if self._compaction_of(item) in earlier]
        self.item_reader.versions(versions)
        for version in versions:
            body = self._compaction_of(self._state.items[version])
            if body is None or body.document is None:
                continue
            kept = _decoded(self.item_reader.loaded.texts.get((version, body.document.part), ""))
            if kept is not None:
                documents.append(kept[0])
                names += kept[1]
                layers += kept[2]
        if not documents:
            return None, names, layers
        merged = documents[-1]
        progress = tuple(dict.fromkeys(text for one in documents for text in one.progress))
        said = tuple(dict.fromkeys(text for one in documents for text in one.said))
        tools: Counter[str] = Counter()
        for one in documents:
            tools.update(one.tools)
        objective = merged.objective or next((one.objective for one in documents if one.objective), "")
        update = {"progress": progress, "said": said, "tools": dict(tools), "objective": objective}
        return merged.model_copy(update=update), names, layers

    def _layers(self, selection: Selection) -> list[tuple[int, int]]:
        """The changes of layer between the messages that stay before these items and those that stay after them."""
        if not selection.leaving or self._state.project_layer is None:
            return []
        first, last = selection.leaving[0], selection.leaving[-1]
        leaving = frozenset(selection.leaving)
        stays = [
            item.id
            for item in self._state.items.values()
            if item.type in CONVERSATION_TYPES and item.id not in leaving
        ]
        after = max((item for item in stays if item < first), default=0)
        before = min((item for item in stays if item > last), default=self._state.version + 1)
        reader = ContentReader.on_branch(self._runtime, self._stream, self._state.version)
        return [
            (event.version, event.body.project_layer)
            for event in reader.events_of_type(LayerChanged.type)
            if isinstance(event.body, LayerChanged) and after < event.version < before
        ]

    def _layer_lines(self, layers: Sequence[tuple[int, int]]) -> list[str]:
        """The changes of layer. They are never left out: where there are too many for half of the summary's tokens, the
        newest stand for all, with the number of the others."""

        def line(newest: int) -> str:
            told = " → ".join(str(layer) for _, layer in layers[len(layers) - newest :])
            others = len(layers) - newest
            return f"- {others} earlier changes, then {told}" if others else f"- {told}"

        if not layers:
            return []
        most = int(self._most * SHARE_OF_WORDS)
        return [line(1 + _most_that_fit(len(layers) - 1, lambda more: self._count(line(1 + more)) <= most))]

    def _fitted(
        self, selection: Selection, gathered: Gathered, layers: list[str], document: SummaryDocument
    ) -> str:
        """The summary's text, within its tokens: names go first, then clarifications, then tools."""
        heading = f"# Items {selection.leaving[0]} to {selection.leaving[-1]} in short"
        bare = document.model_copy(update={"tools": {}})
        words = bare.to_markdown().removeprefix("# Session summary").strip()
        tools = [f"- {', '.join(f'{name} {calls}' for name, calls in most_used(document.tools))}"]

        def text(names: int, clarifications: int, rest: bool = True) -> str:
            told = gathered.clarifications[len(gathered.clarifications) - clarifications :]
            blocks = [
                heading,
                words,
                _block("Clarifications", (f"- {one}" for one in told)),
                _block("Tools used", tools if document.tools and rest else []),
                _block("Layers", layers),
                _block("Named there", [f"- {', '.join(gathered.names[:names])}"] if names else []),
            ]
            return "\n\n".join(filter(None, blocks)) + "\n"

        all_names, all_told = min(len(gathered.names), MOST_NAMES), len(gathered.clarifications)
        if not self._fits(text(0, 0)):
            return text(0, 0, rest=False)
        told = _most_that_fit(all_told, lambda count: self._fits(text(0, count)))
        return text(_most_that_fit(all_names, lambda count: self._fits(text(count, told))), told)

    def _fits(self, text: str) -> bool:
        return self._count(text) <= self._most


def _block(heading: str, lines: Iterable[str]) -> str:
    shown = list(lines)
    return "\n".join([f"## {heading}", *shown]) if shown else ""


def _most_that_fit(most: int, fits: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _decoded(text: str) -> tuple[SummaryDocument, list[str], list[tuple[int, int]]] | None:
    """The document of an earlier compaction; None if it was erased or has another form."""
    try:
        kept: Any = json.loads(text)
        document = SummaryDocument.decode(
            json.dumps(kept["summary"], ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        )
        layers = [(int(version), int(layer)) for version, layer in kept["layers"]]
        return document, [name for name in kept["names"] if isinstance(name, str)], layers
    except (ValueError, KeyError, TypeError, InvalidInput):
        return None
