import pytest

from backstory.domain.errors import InvalidInput, SummaryRefused
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.summaries.offline import SummaryDocument, SummarySource, check_summary
from backstory.infrastructure.llm.tokens import count_tokens
from tests.summaries.sources import SAMPLE


def check(document: SummaryDocument, source: SummarySource = SAMPLE, most_tokens: int = 200) -> None:
    check_summary(document, source=source, most_tokens=most_tokens, count=count_tokens)


def test_a_sound_one_is_kept() -> None:
    check(SummaryDocument(objective="Make tokens live longer", decisions=("RS256 it is",), tools={"grep": 1}))


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (SummaryDocument(), "says nothing"),
        (SummaryDocument(objective="  "), "says nothing"),
        (SummaryDocument(tools={"grep": 3}), "says nothing"),
        (SummaryDocument(objective="tokens", progress=("",)), "without sense"),
        (SummaryDocument(objective="tokens", progress=("!!! ...",)), "without sense"),
        (SummaryDocument(objective="aaaaaaaa"), "without sense"),
        (SummaryDocument(objective="tokens " * 20), "without sense"),
        (SummaryDocument(objective="tokens\x00"), "cannot be shown"),
        (SummaryDocument(decisions=("tokens \x1b[31m",)), "cannot be shown"),
        (SummaryDocument(objective="tokens \u202egnp.exe"), "cannot be shown"),
        (SummaryDocument.model_construct(objective="tokens \ud800"), "cannot be shown"),
        (SummaryDocument(objective="tokens", tools={"gr\x07ep": 1}), "cannot be shown"),
        (SummaryDocument(objective="tokens", tools={"grep": 0}), "not called"),
        (SummaryDocument(objective="A recipe for apple pie with cinnamon"), "not one word in common"),
        (SummaryDocument(progress=tuple(f"tokens {n}" for n in range(200))), "more than the 200 allowed"),
    ],
)
def test_what_says_nothing_makes_no_sense_or_is_too_long(document: SummaryDocument, reason: str) -> None:
    with pytest.raises(SummaryRefused, match=reason):
        check(document)


def test_other_scripts_are_compared_letter_by_letter() -> None:
    source = SummarySource(task="我们修复了登录错误")
    check(SummaryDocument(objective="登录问题已解决"), source)
    with pytest.raises(SummaryRefused, match="not one word in common"):
        check(SummaryDocument(objective="天气很好"), source)


def test_the_refusal_never_quotes_the_summary() -> None:
    with pytest.raises(SummaryRefused) as refused:
        check(SummaryDocument(objective="hunter2 hunter2 hunter2"))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("field", ["version", "every", "most_tokens"])
@pytest.mark.parametrize("value", [0, -1, True, 1.5, "15", None])
def test_a_policy_with_a_bad_number_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"{field}: must be"):
        SummaryPolicy(**{field: value})  # type: ignore[arg-type]


def test_a_policy_without_a_name_is_refused() -> None:
    with pytest.raises(InvalidInput, match="name: must not be empty"):
        SummaryPolicy(name="")
