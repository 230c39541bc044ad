"""Width and height of an image from its first bytes, for the four formats that models read."""

from struct import error as StructError, unpack_from


def image_size(data: bytes) -> tuple[int, int] | None:
    """The size in pixels, or None for bytes that are no PNG, JPEG, GIF or WebP or are cut off."""
    try:
        width, height = _read(data)
    except StructError:
        return None
    return (width, height) if width > 0 and height > 0 else None


def _read(data: bytes) -> tuple[int, int]:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = unpack_from(">II", data, 16)
    elif data.startswith((b"GIF87a", b"GIF89a")):
        width, height = unpack_from("<HH", data, 6)
    elif data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    else:
        return 0, 0
    return width, height


def _jpeg(data: bytes) -> tuple[int, int]:
    """Walks the segments to the frame header, whose place depends on the metadata before it."""
    at = 2
    while at < len(data):
        marker, length = unpack_from(">HH", data, at)
        # C0 to CF begin a frame, except C4, C8 and CC: tables, reserved, arithmetic conditioning.
        if 0xFFC0 <= marker <= 0xFFCF and marker not in (0xFFC4, 0xFFC8, 0xFFCC):
            height, width = unpack_from(">HH", data, at + 5)
            return width, height
        if marker < 0xFF00 or marker == 0xFFDA:
            break
        at += 1 if marker == 0xFFFF else 2 + length
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8 ":
            width, height = unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            low_width, high_width, low_height, high_height = unpack_from("<HBHB", data, 24)
            return (low_width | high_width << 16) + 1, (low_height | high_height << 16) + 1
    return 0, 0
