"""Whether a summary may be kept: whoever made it, it says something, makes sense and is not too long."""

from collections.abc import Callable, Iterable

from backstory.domain.errors import SummaryRefused
from backstory.domain.summaries.document import SummaryDocument
from backstory.domain.summaries.lines import UNSHOWABLE, content_words, is_nonsense, stems
from backstory.domain.summaries.source import SummarySource


def check_summary(
    document: SummaryDocument,
    *,
    source: SummarySource,
    most_tokens: int,
    count: Callable[[str], int],
) -> None:
    """Nothing, when the summary may be kept; otherwise SummaryRefused, which never quotes the summary.

    Refused: no text but the names of tools; a text with characters that cannot be shown; a text without a word, or
    with one character or word repeated; not one word that tells, in common with the source; more tokens than
    `most_tokens`, counted on its markdown.
    """
    texts = (*document.texts(), *document.tools)
    for text in texts:
        if UNSHOWABLE.search(text):
            raise SummaryRefused("the summary has characters that cannot be shown.")
    if not any(text.strip() for text in document.texts()):
        raise SummaryRefused("the summary says nothing.")
    if any(is_nonsense(text) for text in texts):
        raise SummaryRefused("the summary has a text without sense.")
    if any(calls < 1 for calls in document.tools.values()):
        raise SummaryRefused("the summary counts a tool that was not called.")
    if not _share_a_word(document.texts(), source.texts()):
        raise SummaryRefused("the summary has not one word in common with what it should sum up.")
    tokens = count(document.to_markdown())
    if tokens > most_tokens:
        raise SummaryRefused(f"the summary has {tokens} tokens, more than the {most_tokens} allowed.")


def _share_a_word(summary: Iterable[str], source: Iterable[str]) -> bool:
    text = "\n".join(summary)
    # A text such as "do it" has common words only; then these must do.
    wanted = content_words(text) or frozenset(stems(text))
    return any(word in wanted for text in source for word in stems(text))
