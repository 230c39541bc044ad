"""Session summaries, made offline: extracts put in order, the same for the same source on every machine.

Nothing is invented: every text is one of the source's, with blanks and unshowable characters as one blank, without
the marks of bold type and the words that only lead to it, and with … where it was cut. Only brackets around a
rationale, "; " between goals, speakers with their dates and the marks ✅, 🔄 and ⏳ are added.

Too long, a summary loses these in order, each to the number that is named, until it fits (`_LOSSES`):

| | loses | keeps |
|---|---|---|
| 1 | entities, tools, what was said, progress, files | 6 entities, 6 tools, 8 sayings, 8 of progress, 6 files |
| 2 | next steps, questions | 5 of each |
| 3 | entities, tools, files, what was said, progress | 3 sayings, 3 of progress |
| 4 | rationales | those of the newest 3 decisions |
| 5 | next steps, questions, what was said, progress | 2 next steps, 2 questions |
| 6 | next steps, questions, then the objective | |
| 7 | the ends of decisions and constraints | 100 characters of each |
| 8 | decisions, constraints, the oldest first | 3 of each, then none |

Of progress and sayings the oldest go first.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from backstory.domain.summaries.check import check_summary
from backstory.domain.summaries.cues import is_result_of_checks
from backstory.domain.summaries.document import SummaryDocument, most_used
from backstory.domain.summaries.extracts import CURRENT, DONE, announced, anything, said, told
from backstory.domain.summaries.lines import CUT, cut, is_cut, is_nonsense, one_line
from backstory.domain.summaries.objective import opening
from backstory.domain.summaries.source import SourceMessage, SummarySource
from backstory.domain.text.sentences import line_sentences
from backstory.domain.values import whole_number

__all__ = [
    "SUMMARIZER_VERSION",
    "SourceMessage",
    "SummaryDocument",
    "SummarySource",
    "check_summary",
    "summarize_offline",
    "tools_used",
    "with_tools",
]

SUMMARIZER_VERSION = 4
"""Raised when the same source would give another summary."""

PENDING = "⏳ "
_MOST_TOLD = 8
"""New sentences in one summary: about one for two messages between summaries."""
_MOST_PROGRESS = 24
_MOST_SAID = 24
_MOST_NEWLY_SAID = 5
_MOST_FILES = 12
_MOST_ENTITIES = 16
_MOST_TOOLS = 20
_LONGEST_NAME = 120
_SHORT = 100
_RATIONALES_LAST = 3


def summarize_offline(
    source: SummarySource, *, most_tokens: int, count: Callable[[str], int]
) -> SummaryDocument:
    """The summary of the source, with at most `most_tokens` as `count` counts its markdown.

    A source without a word, or a limit that not even one text fits, gives the empty document.
    """
    whole_number("most_tokens", most_tokens, minimum=0)
    previous = source.previous or SummaryDocument()
    decided = _decisions(source, previous)
    objective = _objective(source, previous)
    document = SummaryDocument(
        objective=objective,
        progress=_progress(source, previous, objective),
        said=_said(source, previous, objective),
        decisions=tuple(full for full, _ in decided),
        open_questions=_clean(source.questions),
        constraints=_clean(source.constraints),
        files=_clean((*source.files, *previous.files), _LONGEST_NAME)[:_MOST_FILES],
        entities=_clean((*source.entities, *previous.entities), _LONGEST_NAME)[:_MOST_ENTITIES],
        next_steps=_next_steps(source),
        tools=tools_used(source),
    )
    if not document.texts():
        document = document.model_copy(update={"said": tuple(anything(source.messages))})
    return _fitted(document, decided, lambda candidate: count(candidate.to_markdown()) <= most_tokens)


def tools_used(source: SummarySource) -> dict[str, int]:
    """The number of calls of each tool: the previous summary's counts and the new calls; the most used ones."""
    counts = dict(source.previous.tools) if source.previous else {}
    for message in source.messages:
        for name in _all_clean(message.tools, _LONGEST_NAME):
            counts[name] = counts.get(name, 0) + 1
    return dict(most_used(counts)[:_MOST_TOOLS])


def with_tools(
    document: SummaryDocument, tools: dict[str, int], *, most_tokens: int, count: Callable[[str], int]
) -> SummaryDocument:
    """The document with these tools for its own, the most used ones as far as they fit."""
    full = document.model_copy(update={"tools": dict(most_used(tools))})
    return _shrunk(full, "tools", 0, lambda candidate: count(candidate.to_markdown()) <= most_tokens)[0]


class _Decision(NamedTuple):
    """A decision with its rationale, and without."""

    full: str
    text: str


def _objective(source: SummarySource, previous: SummaryDocument) -> str:
    goals = _clean(text for text, _ in source.goals)
    # Without actions the other goals are what to do next, and need not be said twice.
    aims = goals if source.actions else goals[:1]
    task = _clean([source.task or ""])
    return "; ".join(dict.fromkeys((*aims, *task))) or previous.objective or opening(source.messages)


def _progress(source: SummarySource, previous: SummaryDocument, objective: str) -> tuple[str, ...]:
    # What was pending or in progress is listed again only if it still is.
    before = [text for text in previous.progress if not text.startswith((PENDING, CURRENT))]
    current = [
        CURRENT + text for text in _clean(text for text, status in source.goals if status == "in-progress")
    ]
    reached = [DONE + text for text in _clean(source.goals_completed)]
    elsewhere = [*line_sentences(objective), *(text for text, _ in source.decisions), *source.constraints]
    new = told(source.messages, _MOST_TOLD, [*before, *reached, *elsewhere], works=_works(source))
    if any(is_result_of_checks(text.removeprefix(DONE)) for text in new):
        before = [text for text in before if not is_result_of_checks(text.removeprefix(DONE))]
    lasting = _newest(list(dict.fromkeys((*before, *reached, *new))), _MOST_PROGRESS)
    return (*lasting, *current, *(PENDING + text for text in _clean(source.blocked)))


def _works(source: SummarySource) -> bool:
    """Whether agents work with tools, or only talk."""
    before = source.previous is not None and bool(source.previous.tools)
    return before or any(message.tools for message in source.messages)


def _said(source: SummarySource, previous: SummaryDocument, objective: str) -> tuple[str, ...]:
    elsewhere = [*line_sentences(objective), *(text for text, _ in source.decisions), *source.constraints]
    new = said(
        source.messages, max(_MOST_NEWLY_SAID, len(source.messages) // 3), [*previous.said, *elsewhere]
    )
    return tuple(list(dict.fromkeys((*previous.said, *new)))[-_MOST_SAID:])


def _decisions(source: SummarySource, previous: SummaryDocument) -> list[_Decision]:
    """Those of the source, and before them those of the previous summary that are older than the source reaches back.

    What the previous summary has after the first that both have, and the source has not, was taken back.
    """
    given: list[_Decision] = []
    for text, rationale in source.decisions:
        for clean in _clean([text]):
            reasons = _clean([rationale or ""])
            given.append(_Decision(f"{clean} ({reasons[0]})" if reasons else clean, clean))
    given = list(dict.fromkeys(given))
    known = {text for decision in given for text in decision}
    older: list[_Decision] = []
    for text in previous.decisions:
        if text in known or (text.endswith(CUT) and any(is_cut(text, decision.full) for decision in given)):
            break
        older.append(_Decision(text, text))
    return older + given


def _next_steps(source: SummarySource) -> tuple[str, ...]:
    return (
        _clean(source.actions)
        or _clean(text for text, _ in source.goals)[1:]
        or tuple(announced(source.messages, most=3, works=_works(source)))
    )


def _all_clean(texts: Iterable[str], longest: int) -> list[str]:
    lines = (cut(one_line(text), longest) for text in texts)
    return [line for line in lines if line and not is_nonsense(line)]


def _clean(texts: Iterable[str], longest: int = 300) -> tuple[str, ...]:
    """Each text once, as one line that says something and is not too long."""
    return tuple(dict.fromkeys(_all_clean(texts, longest)))


Fits = Callable[[SummaryDocument], bool]

_LOSSES: tuple[tuple[str, int], ...] = (
    ("entities", 6),
    ("tools", 6),
    ("said", 8),
    ("progress", 8),
    ("files", 6),
    ("next_steps", 5),
    ("open_questions", 5),
    ("entities", 0),
    ("tools", 0),
    ("files", 0),
    ("said", 3),
    ("progress", 3),
    ("rationales", 0),
    ("next_steps", 2),
    ("open_questions", 2),
    ("said", 0),
    ("progress", 0),
    ("next_steps", 0),
    ("open_questions", 0),
    ("objective", 0),
    ("ends", 0),
    ("decisions", 3),
    ("constraints", 3),
    ("decisions", 0),
    ("constraints", 0),
)


def _fitted(document: SummaryDocument, decided: Sequence[_Decision], fits: Fits) -> SummaryDocument:
    if fits(document):
        return document
    for field, least in _LOSSES:
        if field == "rationales":
            shorter = [
                decision.full if place >= len(decided) - _RATIONALES_LAST else decision.text
                for place, decision in enumerate(decided)
            ]
            document = document.model_copy(update={"decisions": tuple(shorter)})
            fitting = fits(document)
        elif field == "objective":
            document = document.model_copy(update={"objective": ""})
            fitting = fits(document)
        elif field == "ends":
            ends = {name: _clean(getattr(document, name), _SHORT) for name in ("decisions", "constraints")}
            document = document.model_copy(update=ends)
            fitting = fits(document)
        else:
            document, fitting = _shrunk(document, field, least, fits)
        if fitting:
            return document
    return document


def _shrunk(document: SummaryDocument, field: str, least: int, fits: Fits) -> tuple[SummaryDocument, bool]:
    """The document with as many in this field as fit, at least so many, and whether it fits."""
    entries: Sequence[str] = getattr(document, field) if field != "tools" else tuple(document.tools)

    def keeping(most: int) -> SummaryDocument:
        return document.model_copy(update={field: _kept(document, field, most)})

    # Halving the range costs a handful of counts where one less each time would cost hundreds.
    low, high = min(least, len(entries)), len(entries)
    best = keeping(low)
    if not fits(best):
        return best, False
    while low < high:
        middle = (low + high + 1) // 2
        candidate = keeping(middle)
        if fits(candidate):
            low, best = middle, candidate
        else:
            high = middle - 1
    return best, True


def _kept(document: SummaryDocument, field: str, most: int) -> object:
    if field == "tools":
        return dict(most_used(document.tools)[:most])
    entries: tuple[str, ...] = getattr(document, field)
    if field == "progress":
        return tuple(_newest(entries, most))
    # Of decisions and constraints the newest stay; the other lists have what matters most in front.
    return entries[len(entries) - most :] if field in ("decisions", "constraints", "said") else entries[:most]


def _newest(entries: Sequence[str], most: int) -> list[str]:
    """So many of the entries in their order: goals reached and blocks before sentences, then the newest."""
    ranked = sorted(
        range(len(entries)),
        key=lambda place: (entries[place].startswith((PENDING, CURRENT)), place),
        reverse=True,
    )
    return [entries[place] for place in sorted(ranked[:most])]
