"""Tests of the link for a rater who has lost access to their browser."""

from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from studies.collection.arrival.raters import Participant, keep_identity
from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from studies.models import AuditEntry
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_rater

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    """A study of a panel in which participant 7 is a rater."""
    study = make_open_study(panel=Panel(kind=PanelKind.GENERIC, codes={RaterOutcome.FINISHED: "DONE1"}))
    make_rater(study, identity_hash=keep_identity(Participant(PanelKind.GENERIC, "7"), now=timezone.now()))
    return study


def test_link_makes_a_browser_the_participants_and_is_written_down_without_saying_whose(study, capsys) -> None:
    call_command("resume_link", "study", "7", base_url="https://study.example.org")

    link = urlsplit(capsys.readouterr().out.strip())
    person = Person(study)
    assert (link.scheme, link.netloc) == ("https", "study.example.org")
    assert person.client.get(link.path).url == person.address("join")
    assert f"rater-{study.pk}" in person.client.cookies
    entry = AuditEntry.objects.get(study=study, action="resume_link_made")
    assert entry.details == {}


@pytest.mark.parametrize(
    ("participant", "base_url", "words"),
    [("8", "https://study.example.org", "no rater whom the panel generic names"), ("7", "study", "--base-url must be")],
)
def test_what_cannot_be_done_is_told(study, participant, base_url, words) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("resume_link", "study", participant, base_url=base_url)

    assert not AuditEntry.objects.filter(action="resume_link_made").exists()
