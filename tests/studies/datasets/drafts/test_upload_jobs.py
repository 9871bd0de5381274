"""Tests of uploads as jobs: what is done inside and outside of transactions."""

import pytest
from django.db import connection

from studies.access.audit import Actor
from studies.datasets.drafts.checks import make_draft
from studies.datasets.drafts.upload_jobs import send_again, send_upload
from studies.datasets.staged_uploads import measure_uploads
from studies.enums import Interface
from studies.models import Image, Study
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW, make_user
from tests.studies.uploads import TABLE, make_file, make_pictures, stage

# Not in a transaction of the test's own: PostgreSQL locks rows in one only, and pictures must be stored outside of any.
pytestmark = pytest.mark.django_db(transaction=True)


def test_an_upload_is_sent_outside_of_any_transaction() -> None:
    user = make_user("researcher")

    staged, job = send_upload(
        choices={"name": "mine", "title": "", "start": "rating"},
        files={"items": [make_file("items.csv", TABLE)]},
        actor=Actor(user, Interface.PAGE),
        now=NOW,
    )

    assert (job.key, job.kind) == (staged.token, "check-upload")


def test_pictures_are_stored_before_the_transaction_and_go_where_it_fails() -> None:
    user = make_user("researcher")
    staged = stage(user, items=[make_file("items.csv", TABLE)], images=make_pictures("a.png", "b.png"))
    seen = []

    def refuse(_draft) -> None:
        seen.append([(image.file.storage, image.file.name) for image in Image.objects.exclude(file="")])
        raise RuntimeError("the job is another worker's by now")

    told = []
    with pytest.raises(RuntimeError, match="another worker"):
        make_draft(
            staged,
            owner=user,
            actor=Actor(user, Interface.PAGE),
            now=NOW,
            watch=lambda message, *_: told.append((message, connection.in_atomic_block)),
            finish=refuse,
        )

    assert ("Storing images.", False) in told
    assert not any(is_inside for _, is_inside in told)
    assert Study.objects.count() == 0
    (stored,) = seen
    assert len(stored) == 2
    assert [storage.exists(name) for storage, name in stored] == [False, False]


class SentMeanwhile:
    """A file of 800 kB, while which is written another upload comes of the same account."""

    name, size = "items.csv", 800_000

    def __init__(self, user) -> None:
        self.user, self.refusals = user, []

    def chunks(self):
        try:
            _send(self.user, make_file("other.csv", b"x" * 800_000))
        except ImportFailed as refusal:
            self.refusals.append(str(refusal))
        yield b"x" * self.size


def _send(user, file):
    choices = {"name": "mine", "title": "", "start": "rating"}
    return send_upload(choices=choices, files={"items": [file]}, actor=Actor(user, Interface.PAGE), now=NOW)


def test_uploads_at_the_same_moment_cannot_pass_the_limit_on_bytes_together(settings) -> None:
    settings.ACCORDANCE_ACCOUNT_MB, user = 1, make_user("researcher")
    sent = SentMeanwhile(user)

    staged, _ = _send(user, sent)

    assert [refusal.partition(":")[0] for refusal in sent.refusals] == ["your account"]
    assert 800_000 < measure_uploads(user) < 802_000
    # So can files in place of those before.
    again = SentMeanwhile(user)
    settings.ACCORDANCE_ACCOUNT_MB = 2
    send_again(staged, choices=staged.choices, files={"items": [again]}, actor=Actor(user, Interface.PAGE), now=NOW)
    assert len(again.refusals) == 1
