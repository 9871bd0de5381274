"""Sends files that identify raters; whoever calls this records it."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse

from correlation.csv_lines import write_csv


def send_private(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """Return a CSV file as a download that no cache keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse("".join(write_csv(header, rows)), content_type="text/csv; charset=utf-8", headers=headers)
