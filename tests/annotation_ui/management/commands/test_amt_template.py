"""Tests of the external question of a HIT, which links to the study."""

from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study

pytestmark = pytest.mark.django_db
SCHEMA = "{http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd}"


def _make(tmp_path, base_url="https://study.example.org/sub&dir/", *, kind=PanelKind.AMT, **options):
    study = make_open_study(panel=Panel(kind=kind, codes={RaterOutcome.FINISHED: "DONE1"}))
    call_command("amt_template", "study", base_url=base_url, out=tmp_path / "hit.xml", **options)
    return study, ElementTree.parse(tmp_path / "hit.xml").getroot()  # noqa: S314 - our own file


def test_question_has_the_link_and_the_height(tmp_path):
    study, question = _make(tmp_path, frame_height=800)

    assert question.tag == f"{SCHEMA}ExternalQuestion"
    assert [(part.tag, part.text) for part in question] == [
        (f"{SCHEMA}ExternalURL", f"https://study.example.org/sub&dir/r/{study.join_token}/"),
        (f"{SCHEMA}FrameHeight", "800"),
    ]


def test_panel_that_previews_the_link_is_shown_the_study(tmp_path):
    study, question = _make(tmp_path, "https://study.example.org")
    path = urlsplit(question[0].text).path

    response = Person(study).client.get(f"{path}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1")

    assert (response.status_code, "This is a preview" in response.content.decode()) == (200, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": "http://study.example.org"}, "must begin with https://"),
        ({"base_url": "https://"}, "must be the server's address"),
        ({"frame_height": -1}, "be 0 or more"),
        ({"kind": PanelKind.LINK}, "its design names the panel link, not amt"),
    ],
)
def test_refusals_are_said_and_nothing_is_written(tmp_path, options, message):
    with pytest.raises(CommandError, match=message):
        _make(tmp_path, **options)

    assert list(tmp_path.iterdir()) == []
