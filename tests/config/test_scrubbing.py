"""Tests that personal data, and nothing else, are removed from logs."""

import pytest

from config.scrubbing import scrub


@pytest.mark.parametrize(
    ("line", "scrubbed"),
    [
        ("Internal Server Error: /r/Ab-c_9/resume/1:x:y/", "Internal Server Error: /r/[…]"),
        ("GET /r/Ab-c_9/?PROLIFIC_PID=5f&SESSION_ID=s1 HTTP/1.1", "GET /r/[…] HTTP/1.1"),
        ('"GET /shared/tok/table.csv" 200', '"GET /shared/[…]" 200'),
        ('"POST /team-invitations/tok/" 302', '"POST /team-invitations/[…]" 302'),
        ("Bad Request: /account/password/reset/a-c9x2-41f/", "Bad Request: /account/password/reset/[…]"),
        ("GET /account/email/MQ:1abc:Xy_z/confirm/ HTTP/1.1", "GET /account/email/[…] HTTP/1.1"),
        ("GET /studies/s/judgments/?rater=R-1 x", "GET /studies/s/judgments/?[…] x"),
        ("from 203.0.113.77: refused", "from […]: refused"),
        ("from [2001:db8::77]:443", "from [[…]]:443"),
        ("from 2001:db8:0:1:2:3:4:5 it came", "from […] it came"),
        ("failed\nDETAIL:  Key (session_id)=(s1) already exists.", "failed\nDETAIL: […]"),
    ],
)
def test_what_leads_to_a_person_is_gone(line, scrubbed) -> None:
    assert scrub(line) == scrubbed


@pytest.mark.parametrize(
    "line",
    [
        "2025-03-01 12:34:56,789 ERROR django.request: x",
        "Listening at: http://127.0.0.1:8000 (1234)",
        'File "/srv/accordance/studies/views/study.py", line 10, in show',
        "GET /account/email/ 200",
        "is it? yes",
        "version 1.2.3",
    ],
)
def test_other_text_is_not_scrubbed(line) -> None:
    assert scrub(line) == line
