"""Tests of stored uploads: private, limited in number, kept for a day, and never outside their folder."""

from datetime import timedelta

import pytest

from studies.collection.privacy.erasure import erase_expired
from studies.datasets.staged_uploads import (
    LONGEST,
    delete_old_uploads,
    delete_staged,
    find_staged,
    keep_files,
    open_upload,
    stage_upload,
)
from tests.factories.studies import NOW, make_user
from tests.studies.uploads import make_file

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def root(settings, tmp_path):
    settings.ACCORDANCE_UPLOADS = tmp_path / "uploads"
    return settings.ACCORDANCE_UPLOADS


def _stage(user, *, now=NOW, **files):
    return keep_files(stage_upload(user, choices={"name": "mine"}, now=now), **files)


def test_upload_is_found_by_who_sent_it_and_by_nobody_else(root) -> None:
    user, other = make_user("user"), make_user("other")
    staged = _stage(user, items=[make_file("a.csv", "x")])

    assert find_staged(staged.token, user=user, now=NOW) == staged
    assert find_staged(staged.token, user=other, now=NOW) is None
    with open_upload(staged) as files:
        assert [path.read_text() for path in files.item_paths] == ["x"]
    assert (root / staged.token).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("token", ["", "..", "../uploads", "a/b", "x" * 22, "../../../../../etc/pas", "x" * 21 + "\n"])
def test_other_tokens_find_nothing(token) -> None:
    user = make_user()
    _stage(user)

    assert find_staged(token, user=user, now=NOW) is None


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../../etc/passwd", "passwd"),
        ("C:\\Windows\\items.csv", "items.csv"),
        (".htaccess", "htaccess"),
        ("..", "file"),
        ("a\x00b\n.csv", "ab.csv"),
        ("ö" * 200 + ".csv", "ö" * 56 + ".csv"),
    ],
)
def test_name_leads_nowhere(name, kept, root) -> None:
    file = make_file("x", "content")
    file._name = name

    staged = _stage(make_user(), images=file)

    assert staged.images == kept
    with open_upload(staged) as files:
        assert files.image_path.resolve().parent == (root / staged.token / "images").resolve()
        assert files.image_path.read_text() == "content"


def test_new_files_go_in_location_of_those_of_their_role(root) -> None:
    user = make_user()
    staged = _stage(user, items=[make_file("a.json", "1"), make_file("a.json", "2")], images=make_file("i.zip", "3"))

    staged = keep_files(staged, items=[make_file("b.csv", "4")])

    assert (staged.items, staged.images) == (("b.csv",), "i.zip")
    files = [path.name for path in (root / staged.token).rglob("*") if path.is_file()]
    assert sorted(files) == ["b.csv", "facts.json", "i.zip"]
    assert find_staged(staged.token, user=user, now=NOW) == staged


def test_a_user_has_three_at_most_and_they_go_after_a_day(root) -> None:
    user, other = make_user("user"), make_user("other")
    kept = _stage(other)
    staged = [_stage(user, now=NOW + timedelta(minutes=minute)) for minute in range(5)]

    there = [find_staged(one.token, user=user, now=NOW) is not None for one in staged]
    late = NOW + LONGEST + timedelta(minutes=2)
    found_late = [find_staged(one.token, user=user, now=late) is not None for one in staged]
    n_deleted = delete_old_uploads(now=late)

    assert there == [False, False, True, True, True]
    assert found_late == [False, False, False, True, True]
    assert n_deleted == 2
    assert {path.name for path in root.iterdir()} == {one.token for one in staged[3:]}
    assert not (root / kept.token).exists()


def test_upload_is_forgotten(root) -> None:
    staged = _stage(make_user(), images=make_file("i.zip", "1"))

    delete_staged(staged)

    assert list(root.iterdir()) == []


def test_daily_forgetting_takes_old_uploads_along(root) -> None:
    _stage(make_user())

    erase_expired(now=NOW + LONGEST)

    assert list(root.iterdir()) == []
