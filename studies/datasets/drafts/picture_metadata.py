"""Removes metadata from pictures: places, names, comments and embedded thumbnails."""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any, Final

from studies.datasets.drafts.images import FORMATS, MOST_PIXELS, name_format
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted

_ORIENTATION: Final = 0x0112
_PNG_KEPT: Final = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs cICP mDCV cLLI acTL fcTL fdAT".split()
)
_WEBP_KEPT: Final = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"))
_AVIF_KEPT: Final = frozenset((b"ftyp", b"meta", b"moov", b"mdat"))
_WEBP_FLAGS: Final = 0x08 | 0x04  # EXIF and XMP


def strip_metadata(content: bytes, location: SourceLocation) -> bytes:
    """Return the picture upright and without metadata except its colour profile; other content is returned unchanged.

    Pixels are encoded again only if they are rotated, or if the metadata of the format cannot be removed separately.

    Raises:
        ImportFailed: It must be encoded again and is too large; or it is damaged, is animated and rotated by its
                metadata, or is an animated AVIF with metadata.
    """
    from PIL import Image as Picture

    try:
        with Picture.open(BytesIO(content), formats=list(FORMATS)) as picture:
            form = name_format(picture)
            is_turned = picture.getexif().get(_ORIENTATION, 1) in range(2, 9)
            is_moving = form != "JPEG" and getattr(picture, "n_frames", 1) > 1
            has_more = form == "AVIF" and ("exif" in picture.info or "xmp" in picture.info)
            if is_moving and has_more:
                raise ImportFailed(
                    location, "must have no metadata, because it cannot be removed from an animated AVIF"
                )
            if is_moving and is_turned:
                raise ImportFailed(
                    location, "must be stored upright, because it is an animated image that its metadata rotates"
                )
            if is_turned or has_more:
                content = _encode_again(picture, location)
    except Picture.UnidentifiedImageError:
        return content
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        Picture.DecompressionBombError,
        Picture.DecompressionBombWarning,
    ) as error:
        raise ImportFailed(location, f"is a damaged image: {str(error)[:80]}") from error
    try:
        # Browsers show a picture without end marker, so add one; data after the first marker are dropped.
        return _WALKS[form](content + _ENDS.get(form, b""))
    except (IndexError, ValueError) as error:
        raise ImportFailed(location, "is a damaged image: it is truncated") from error


def _encode_again(picture: Any, location: SourceLocation) -> bytes:
    from PIL import ImageOps

    width, height = picture.size
    if width * height > MOST_PIXELS:
        raise ImportFailed(
            location, f"may have at most {MOST_PIXELS:,} pixels", got=Unquoted(f"{width:,} x {height:,}")
        )
    form, profile = name_format(picture), picture.info.get("icc_profile")
    upright = ImageOps.exif_transpose(picture)
    upright.info = {name: value for name, value in upright.info.items() if name == "transparency"}
    options: dict[str, Any] = {"JPEG": {"quality": 95}, "AVIF": {"quality": 95}, "WEBP": {"lossless": True}}.get(
        form, {}
    )
    if profile:
        options["icc_profile"] = profile
    buffer = BytesIO()
    upright.save(buffer, form, **options)
    return buffer.getvalue()


def _walk_jpeg(content: bytes) -> bytes:
    kept, at = [content[:2]], 2
    while True:
        while content[at + 1] == 0xFF:
            at += 1
        marker = content[at + 1]
        if content[at] != 0xFF:
            raise ValueError(at)
        if marker == 0xD9:
            return b"".join([*kept, content[at : at + 2]])
        end = at + 2 + int.from_bytes(content[at + 2 : at + 4])
        segment = content[at:end]
        if marker == 0xDA:
            # Compressed data ends at the first marker that is neither a stuffed byte nor a restart.
            while content[end] != 0xFF or content[end + 1] in (0x00, *range(0xD0, 0xD8)):
                end = content.index(b"\xff", end + 1)
            segment = content[at:end]
        if _is_kept(marker, segment[4:]):
            kept.append(segment)
        at = end


def _is_kept(marker: int, data: bytes) -> bool:
    starts = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
    if marker in starts:
        return data.startswith(starts[marker])
    return marker != 0xFE and not 0xE0 <= marker <= 0xEF


def _walk_png(content: bytes) -> bytes:
    kept, at, kind = [content[:8]], 8, b""
    while kind != b"IEND":
        kind, end = content[at + 4 : at + 8], at + 12 + int.from_bytes(content[at : at + 4])
        if end > len(content):
            raise ValueError(at)
        if kind in _PNG_KEPT:
            kept.append(content[at:end])
        at = end
    return b"".join(kept)


def _walk_webp(content: bytes) -> bytes:
    kept, at, last = [], 12, min(len(content), 8 + int.from_bytes(content[4:8], "little"))
    while at + 8 <= last:
        size = int.from_bytes(content[at + 4 : at + 8], "little")
        kind, chunk = content[at : at + 4], content[at : at + 8 + size + size % 2]
        if kind == b"VP8X":
            chunk = chunk[:8] + bytes([chunk[8] & ~_WEBP_FLAGS]) + chunk[9:]
        if kind in _WEBP_KEPT:
            kept.append(chunk)
        at += 8 + size + size % 2
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _walk_gif(content: bytes) -> bytes:
    def skip_table(flags: int) -> int:
        return 3 << ((flags & 7) + 1) if flags & 0x80 else 0

    at = 13 + skip_table(content[10])
    kept = [content[:at]]
    while content[at] != 0x3B:
        if content[at] not in (0x21, 0x2C):
            raise ValueError(at)
        end = at + 2 if content[at] == 0x21 else at + 11 + skip_table(content[at + 9])
        while content[end]:
            end += content[end] + 1
        end += 1
        block = content[at:end]
        is_loop = block[1] == 0xFF and block[3:14] in (b"NETSCAPE2.0", b"ANIMEXTS1.0")
        if block[0] == 0x2C or block[1] == 0xF9 or is_loop:
            kept.append(block)
        at = end
    return b"".join([*kept, b"\x3b"])


def _walk_avif(content: bytes) -> bytes:
    # Pictures are located by offset from the start, so removed parts are replaced by padding of the same size.
    kept, at, last = [], 0, 0
    while at + 8 <= len(content):
        size, kind = int.from_bytes(content[at : at + 4]), content[at + 4 : at + 8]
        if size == 1:
            size = int.from_bytes(content[at + 8 : at + 16])
        if size < 8 or at + size > len(content):
            break
        is_kept = kind in _AVIF_KEPT
        kept.append(content[at : at + size] if is_kept else size.to_bytes(4) + b"free" + bytes(size - 8))
        at += size
        last = len(kept) if is_kept else last
    if not {b"ftyp", b"mdat"} <= {box[4:8] for box in kept}:
        raise ValueError(at)
    return b"".join(kept[:last])


_ENDS: Final = {"JPEG": b"\xff\xd9", "GIF": b"\x3b"}
_WALKS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "JPEG": _walk_jpeg,
    "PNG": _walk_png,
    "WEBP": _walk_webp,
    "GIF": _walk_gif,
    "AVIF": _walk_avif,
}
