"""A model in a folder that knows ten words. Its vectors say which of four things a text is about."""

import struct
from collections.abc import Sequence
from pathlib import Path

ABOUT = {
    "car": 0,
    "vehicle": 0,
    "automobile": 0,
    "tea": 1,
    "beverage": 1,
    "boat": 2,
    "vessel": 2,
    "invoice": 3,
    "bill": 3,
}
THINGS = 4


def write_model(folder: Path, *, strength: float = 1.0) -> Path:
    """Writes the model. One of another strength has other bytes and the same vectors."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    words = ["[PAD]", "[UNK]", *ABOUT]
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    rows = [[0.01] * THINGS, [0.01] * THINGS]
    rows += [[strength if thing == about else 0.0 for thing in range(THINGS)] for about in ABOUT.values()]
    (folder / "model.onnx").write_bytes(_model(rows))
    return folder


# ONNX is protobuf: fields of a number and a value, which is an integer or bytes with their length before them.


def _integer(value: int) -> bytes:
    found = b""
    while value > 0x7F:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def _message(*fields: tuple[int, int | str | bytes]) -> bytes:
    found = b""
    for number, value in fields:
        if isinstance(value, int):
            found += _integer(number << 3) + _integer(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            found += _integer(number << 3 | 2) + _integer(len(data)) + data
    return found


def _value(name: str, type_: int, shape: Sequence[str | int]) -> bytes:
    dimensions = [(1, _message((1 if isinstance(one, int) else 2, one))) for one in shape]
    tensor = _message((1, type_), (2, _message(*dimensions)))
    return _message((1, name), (2, _message((1, tensor))))


def _model(rows: Sequence[Sequence[float]]) -> bytes:
    """The vector of each token is its row of a table."""
    raw = b"".join(struct.pack(f"<{THINGS}f", *row) for row in rows)
    table = _message((1, len(rows)), (1, THINGS), (2, 1), (8, "table"), (9, raw))
    gather = _message((1, "table"), (1, "input_ids"), (2, "last_hidden_state"), (4, "Gather"))
    graph = _message(
        (1, gather),
        (2, "tiny"),
        (5, table),
        (11, _value("input_ids", 7, ["texts", "tokens"])),
        (12, _value("last_hidden_state", 1, ["texts", "tokens", THINGS])),
    )
    return _message((1, 8), (7, graph), (8, _message((1, ""), (2, 17))))
