"""What the model saw, with its proof, its manifest, and the difference from the prompt before."""

from playwright.sync_api import Page, expect

from backstory.application.store import ContextStore
from tests.page.prepared import ANSWER, RS256, Prepared


def test_the_newest_prompt_is_shown_in_parts(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/prompts")
    prompt = page.get_by_role("region", name="Prompt", exact=True)
    expect(prompt.get_by_role("region", name="rules")).to_contain_text(RS256)
    expect(prompt.get_by_role("region", name="history")).to_contain_text("Add login with JWT")
    expect(page.get_by_role("region", name="Answer")).to_contain_text(ANSWER)
    expect(page.get_by_role("region", name="Tools and parameters")).to_contain_text("read_file")


def test_its_bytes_are_checked(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/prompts")
    proof = page.get_by_role("button", name="same bytes")
    reproduction = prepared.session.reproduce(prepared.prompts[-1])
    expect(proof).to_contain_text(reproduction.expected[:12])
    with page.expect_response(lambda response: "/reproduce" in response.url):
        proof.click()
    expect(proof).to_be_visible()
    page.get_by_role("button", name="Raw").click()
    assert reproduction.context is not None
    assert page.locator("pre.raw").text_content() == reproduction.context.data.decode()


def test_an_erased_content_is_named(page: Page, page_store: ContextStore) -> None:
    session = page_store.start(title="Erased")
    gone = session.message("my number is 555-0100")
    context = session.context(4_000)
    session.erase(gone, "asked to")
    page.goto(f"/sessions/{session.id}/prompts?v={context.version}")
    expect(page.get_by_role("button", name="cannot be made again")).to_be_visible()
    expect(page.get_by_text(f"item {gone} (history)")).to_be_visible()


def test_new_pieces_are_told_apart(page: Page, prepared: Prepared) -> None:
    page.goto(f"/sessions/{prepared.session.id}/prompts?v={prepared.prompts[-1]}")
    difference = page.get_by_role("region", name="Since the previous prompt")
    expect(difference).to_contain_text("a cache could reuse")
    difference.get_by_role("button", name="New only").click()
    prompt = page.get_by_role("region", name="Prompt", exact=True)
    expect(prompt.get_by_text("How does the gateway get the public key?")).to_be_visible()
    expect(prompt.get_by_text("Which algorithm signs the tokens?")).to_be_hidden()


def test_one_steps_from_prompt_to_prompt(page: Page, prepared: Prepared) -> None:
    first, second = prepared.prompts
    page.goto(f"/sessions/{prepared.session.id}/prompts")
    page.get_by_role("link", name="Previous").click()
    expect(page).to_have_url(f"/sessions/{prepared.session.id}/prompts?v={first}")
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(f"/sessions/{prepared.session.id}/prompts?v={second}")


def test_calls_without_a_prompt_are_listed(page: Page, page_store: ContextStore) -> None:
    session = page_store.start(title="Imported")
    session.message("Go")
    session.model_called(None, "gpt-5-mini", {"prompt_tokens": 812, "completion_tokens": 31})
    page.goto(f"/sessions/{session.id}/prompts")
    expect(page.get_by_role("row", name="gpt-5-mini")).to_contain_text("812")
