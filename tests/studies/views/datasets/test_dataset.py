"""Tests of the page of a dataset: its systems, and captioners asked for by those who may change the study."""

import json
import re

import pytest
from django.urls import reverse

from captioning.captioners.common_caption import CommonCaption
from captioning.captioners.learned_files import make_batch
from jobs.enums import JobState
from jobs.models import Job
from studies.enums import MemberRole
from studies.models import Candidate, CaptionSet, Study, System
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_member, make_user
from tests.studies.datasets.captioners.offered import train_common, write_objects
from tests.studies.uploads import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ACCORDANCE_CAPTIONERS = str(tmp_path / "captioners")
    settings.ACCORDANCE_RESOURCES = str(tmp_path / "resources")
    train_common(tmp_path / "captioners" / "frequent", note="text-conditioned")
    made = make_designed_study()
    made.owner = make_user()
    made.save()
    return made


@pytest.fixture
def researcher(client, study):
    client.force_login(study.owner)
    return client


def read(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def show(client) -> str:
    return read(client.get(reverse("studies:dataset", args=["study"])))


def ask(client, **changes):
    given = {"captioner": "/frequent", "system": "common", "decoding": "greedy", "n": 1, "seed": 0} | changes
    return client.post(reverse("studies:dataset_caption", args=["study"]), given)


def test_page_lists_systems_and_offers_captioners(researcher) -> None:
    page = show(researcher)
    assert "Dataset: Study-Data" in page
    assert "study-beam imported 6 2" in page
    assert "Most frequent caption: frequent" in page
    assert "Object template" in page
    assert "Nearest neighbour" not in page


def test_captioner_becomes_a_system_in_the_background(researcher, study) -> None:
    response = ask(researcher, n=2)
    assert (response.status_code, response.url) == (302, reverse("studies:dataset", args=["study"]))
    page = show(researcher)
    assert "Captioning the images" in page
    assert "Add a system with a captioner" not in page
    assert not System.objects.filter(name="common").exists()

    run_jobs()
    assert Job.objects.get().state == JobState.DONE
    assert CaptionSet.objects.filter(system__name="common").count() == 2
    page = show(researcher)
    assert "common Most frequent caption common-caption , version 1" in page
    assert "(text-conditioned)" in page
    assert "Add a system with a captioner" in page
    history = researcher.get(reverse("studies:history", args=["study"])).content.decode()
    assert "Added a system with a captioner" in history


def test_objects_of_the_folder_of_the_dataset_are_used(researcher, study, tmp_path) -> None:
    assert "reads the objects of images, which dataset study-data does not have" in read(
        ask(researcher, captioner="object-template")
    )
    write_objects(tmp_path / "resources" / "datasets" / str(study.dataset.pk) / "objects.json", study.dataset)
    ask(researcher, captioner="object-template", system="template")
    run_jobs()
    texts = list(Candidate.objects.filter(system__name="template").values_list("text", flat=True))
    assert texts == ["There is a cat and image-0", "There is a cat and image-1"]


def test_empty_decoding_is_that_of_the_captioner(researcher) -> None:
    assert 'name="decoding" maxlength' in researcher.get(reverse("studies:dataset", args=["study"])).content.decode()
    ask(researcher, decoding="")
    assert Job.objects.get().payload["decoding"] == ""
    run_jobs()
    assert Candidate.objects.filter(system__name="common").count() == 2


def test_columns_that_the_trained_captioner_reads_are_checked(researcher, tmp_path) -> None:
    card = tmp_path / "captioners" / "frequent" / "trained.json"
    card.write_text(json.dumps(json.loads(card.read_text()) | {"inputs": ["features"]}))
    assert "reads the features of images, which dataset study-data does not have" in read(ask(researcher))
    assert not Job.objects.exists()


@pytest.mark.parametrize(("chosen", "state"), [({}, JobState.FAILED), ({"allow_empty": "on"}, JobState.DONE)])
def test_captions_without_a_word_are_stored_on_request(researcher, monkeypatch, chosen, state) -> None:
    monkeypatch.setattr(CommonCaption, "caption", lambda _, images, **__: make_batch(images, [("",), ("a",)], n=1))
    ask(researcher, **chosen)
    run_jobs()
    assert Job.objects.get().state == state
    assert set(Candidate.objects.filter(system__name="common").values_list("text", flat=True)) == (
        {"", "a"} if chosen else set()
    )


def test_failure_of_the_job_is_shown(researcher, tmp_path) -> None:
    ask(researcher, n=9)
    run_jobs()
    assert Job.objects.get().state == JobState.FAILED
    page = show(researcher)
    assert "Captioner &#x27;common-caption&#x27; knows 3 captions, asked for 9." in page
    assert "Add a system with a captioner" in page
    assert not System.objects.filter(name="common").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"system": "study-beam"}, "already has a system study-beam"),
        ({"system": ""}, "This field is required."),
        ({"captioner": "/../secrets"}, "is not one of the available choices"),
        ({"captioner": "nearest-neighbour"}, "is not one of the available choices"),
        ({"decoding": "hot"}, "`method` of decoding must be one of greedy, beam, sample, diverse-beam, got"),
        ({"n": 101}, "less than or equal to 100"),
    ],
)
def test_invalid_requests_are_refused(researcher, changes, message) -> None:
    response = ask(researcher, **changes)
    assert response.status_code == 422
    assert message in read(response)
    assert not Job.objects.exists()


def test_dataset_is_captioned_once_at_a_time_and_jobs_count_for_the_quota(researcher, settings) -> None:
    ask(researcher)
    assert "This is already in progress" in read(ask(researcher, system="other"))
    assert Job.objects.count() == 1
    Job.objects.update(key="another")
    settings.ACCORDANCE_ACCOUNT_JOBS = 1
    assert "1 jobs of your account are waiting or running" in read(ask(researcher, system="other"))


def test_viewers_see_the_page_and_may_not_caption(client, study) -> None:
    viewer, editor = make_user("viewer"), make_user("editor")
    make_member(study, viewer, MemberRole.VIEWER)
    make_member(study, editor, MemberRole.EDITOR)
    client.force_login(viewer)
    assert "Add a system with a captioner" not in show(client)
    assert ask(client).status_code == 403
    client.force_login(editor)
    assert ask(client).status_code == 302
    client.force_login(viewer)
    page = show(client)
    assert "Captioning the images" in page
    assert "Cancel" not in page
    client.force_login(make_user("stranger"))
    assert client.get(reverse("studies:dataset", args=["study"])).status_code == 404
    assert ask(client).status_code == 404
    client.logout()
    assert ask(client).status_code == 302
    assert Job.objects.count() == 1


def test_dataset_of_studies_of_other_people_is_not_changed(researcher, study) -> None:
    Study.objects.create(
        dataset=study.dataset, name="theirs", title="Theirs", kind=study.kind, protocol=study.protocol, created_at=NOW
    )
    response = ask(researcher)
    assert response.status_code == 422
    assert "Other studies use this dataset, and you may not change all of them." in read(response)
    assert not Job.objects.exists()
