"""Tests of personal links from a list, which are written completely or not at all."""

import csv
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command

from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from studies.models import Identity, Invitation
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study

pytestmark = pytest.mark.django_db


def _make_study(kind=PanelKind.IN_HOUSE):
    return make_open_study(panel=Panel(kind=kind, codes={RaterOutcome.FINISHED: "DONE1"}))


def _invite(tmp_path, content, **options):
    people, out = tmp_path / "people.csv", options.pop("out", tmp_path / "links.csv")
    people.write_bytes(content.encode() if isinstance(content, str) else content)
    call_command("invite", "study", people=people, out=out, **options)
    with out.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_link_lets_the_person_in(tmp_path, capsys):
    study = _make_study()

    rows = _invite(
        tmp_path, "name,person\nAnn,a@example.org\nBob,b@example.org\n", base_url="https://study.example.org"
    )

    assert [row["person"] for row in rows] == ["a@example.org", "b@example.org"]
    link = urlsplit(rows[0]["link"])
    assert (link.scheme, link.netloc, link.path) == ("https", "study.example.org", f"/r/{study.join_token}/")
    assert Person(study).client.get(f"{link.path}?{link.query}").status_code == 200
    assert (tmp_path / "links.csv").stat().st_mode & 0o777 == 0o600
    assert capsys.readouterr().out == f"study: 2 personal links in {tmp_path / 'links.csv'}\n"


def test_longer_list_keeps_the_links_that_were_sent(tmp_path):
    _make_study()
    (first,) = _invite(tmp_path, "ann\n")

    rows = _invite(tmp_path, "\nann\r\nbob;1\n\n")

    assert rows[0] == first
    assert [row["person"] for row in rows] == ["ann", "bob;1"]
    assert Invitation.objects.count() == Identity.objects.count() == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "people.csv: lists no people"),
        ("person\n", "people.csv: lists no people"),
        (
            "ann\nbob\nann\n",
            "people.csv, line 3, field person: must occur only once, but is already in line 1, got 'ann'",
        ),
        ("name,person\nAnn,a\nBob,\n", "line 3, field person: must be 1 to 200 printable characters, got ''"),
        ("name,person\nAnn,a\nBob\n", "line 3, field person: must be 1 to 200 printable characters, got ''"),
        ("a" * 201, "line 1, field person: must be 1 to 200 printable characters, got 'aaa"),
        ("ann\x07\n", "line 1, field person: must be 1 to 200 printable characters"),
        (b"ann\n\xff\n", "people.csv, line 2: must be valid UTF-8, got the byte 0xff"),
        ('ann\n"bob\n', "people.csv, line 2: must be CSV, got unexpected end of data"),
    ],
    ids=ascii,
)
def test_bad_list_is_refused_with_nobody_invited(tmp_path, content, message):
    _make_study()

    with pytest.raises(CommandError) as refusal:
        _invite(tmp_path, content)

    assert message in str(refusal.value)
    assert (Invitation.objects.count(), Identity.objects.count()) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": "study.example.org"}, "--base-url must be the server's address"),
        ({"base_url": "https://a/?x=1"}, "--base-url must be the server's address"),
    ],
)
def test_what_cannot_be_written_invites_nobody(tmp_path, options, message):
    _make_study()

    with pytest.raises(CommandError, match=message):
        _invite(tmp_path, "ann\n", **options)
    with pytest.raises(CommandError, match="No such file or directory"):
        _invite(tmp_path, "ann\n", out=tmp_path / "nowhere" / "links.csv")

    assert (Invitation.objects.count(), Identity.objects.count()) == (0, 0)


def test_study_of_another_panel_is_refused(tmp_path):
    _make_study(PanelKind.PROLIFIC)

    with pytest.raises(CommandError, match="personal links are for the panel in_house, its design names prolific"):
        _invite(tmp_path, "ann\n")
