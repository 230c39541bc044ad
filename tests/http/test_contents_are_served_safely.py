"""Contents are hostile: no browser runs what was recorded."""

import base64

import pytest
from starlette.testclient import TestClient

from backstory.application.store import ContextStore

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SCRIPT = "<script>fetch('/api/v1/keys')</script>"


@pytest.fixture
def path(store: ContextStore) -> str:
    return f"/api/v1/sessions/{store.start().id}/items"


def save(client: TestClient, path: str, data: bytes, media_type: str, kind: str = "document") -> int:
    part = {"kind": kind, "data": base64.b64encode(data).decode(), "media_type": media_type}
    saved = client.post(f"{path}/save", json={"type": "note", "content": [part]})
    assert saved.status_code == 201, saved.text
    version: int = saved.json()["version"]
    return version


@pytest.mark.parametrize(
    ("media_type", "served", "shown"),
    [
        ("text/html", "text/html", False),
        ("image/svg+xml", "image/svg+xml", False),
        ("application/xhtml+xml", "application/xhtml+xml", False),
        ("application/pdf", "application/pdf", False),
        ("no type at all", "application/octet-stream", False),
        ("text/plain; charset=utf-7", "text/plain; charset=utf-8", True),
        ("image/png", "image/png", True),
    ],
)
def test_only_images_and_plain_text_are_shown(
    client: TestClient, path: str, media_type: str, served: str, shown: bool
) -> None:
    item = save(client, path, SCRIPT.encode(), media_type)
    answer = client.get(f"{path}/content", params={"item": item})
    assert (answer.status_code, answer.text) == (200, SCRIPT)
    assert answer.headers["content-type"] == served
    assert answer.headers["content-disposition"].partition(";")[0] == ("inline" if shown else "attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_an_image_has_its_bytes_and_its_ranges(client: TestClient, path: str) -> None:
    item = save(client, path, PIXEL, "image/png", "image")
    content, query = f"{path}/content", {"item": item}
    whole = client.get(content, params=query)
    assert (whole.content, whole.headers["accept-ranges"]) == (PIXEL, "bytes")
    some = client.get(content, params=query, headers={"Range": "bytes=1-3"})
    assert (some.status_code, some.content) == (206, b"PNG")
    assert some.headers["content-range"] == f"bytes 1-3/{len(PIXEL)}"
    last = client.get(content, params=query, headers={"Range": "bytes=-4"})
    assert (last.status_code, last.content) == (206, PIXEL[-4:])
    beyond = client.get(content, params=query, headers={"Range": "bytes=9999-"})
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{len(PIXEL)}")
    changed = client.get(content, params=query, headers={"Range": "bytes=1-3", "If-Range": '"other"'})
    assert (changed.status_code, changed.content) == (200, PIXEL)
    known = client.get(content, params=query, headers={"If-None-Match": whole.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.parametrize("asked", ["bytes=", "bytes=3-1", "bytes=a-b", "lines=1-2", "bytes=0-1,3-4"])
def test_what_is_no_range_asks_for_the_whole(client: TestClient, path: str, asked: str) -> None:
    item = save(client, path, PIXEL, "image/png", "image")
    answer = client.get(f"{path}/content", params={"item": item}, headers={"Range": asked})
    assert (answer.status_code, answer.content) == (200, PIXEL)


def test_every_answer_says_what_a_browser_may_do(client: TestClient) -> None:
    for where in ("/api/v1/sessions", "/api/v1/nothing", "/livez", "/openapi.json"):
        headers = client.get(where).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in headers["content-security-policy"]
