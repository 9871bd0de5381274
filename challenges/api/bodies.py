"""Files as the body of a request: read in chunks, never as a whole."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import UnreadablePostError
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from studies.api.parsing import TooLarge, read_length

CHUNK: Final = 4 * 2**20
"""How many bytes are read and stored at once."""


@dataclass(frozen=True, slots=True)
class FileBody:
    """The body of a request.

    Attributes:
        stream: What is left of it.
        n_bytes: Its declared length.
    """

    stream: Any
    n_bytes: int

    def chunks(self) -> Iterator[bytes]:
        """Yield the body; raise ParseError if the connection ends before the declared length."""
        left = self.n_bytes
        while left:
            try:
                chunk = self.stream.read(min(CHUNK, left))
            except UnreadablePostError as error:
                raise ParseError("The connection was closed before the end of the file.") from error
            if not chunk:
                raise ParseError(f"The body ended {left:,} bytes before its declared length.")
            left -= len(chunk)
            yield chunk


class _FileParser(BaseParser):
    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> FileBody:
        return FileBody(stream, read_length((parser_context or {})["request"]))


class JsonFileParser(_FileParser):
    """A file of results in JSON, which is not parsed here."""

    media_type = "application/json"


class ZipFileParser(_FileParser):
    """A zip file with a file of results."""

    media_type = "application/zip"


class PartParser(_FileParser):
    """A part of a file."""

    media_type = "application/octet-stream"


def check_size(request: Request) -> None:
    """Raise TooLarge if the body is larger than may be sent at once; called before anything reads it."""
    if read_length(request) > settings.ACCORDANCE_UPLOAD_MB << 20:
        raise TooLarge(
            f"At most {settings.ACCORDANCE_UPLOAD_MB:,} MB can be sent at once; begin an upload, and send it in parts."
        )
