"""Tests of importing judgments on a page: a table with columns of any names, or a published data set."""

import zipfile
from html import unescape
from io import BytesIO

import pytest
from django.test import Client

from studies.datasets.importing.formats import FORMATS
from studies.datasets.importing.uploaded import UPLOADED_FORMATS
from studies.enums import Interface, StudyState
from studies.models import AuditEntry, Candidate, Judgment, Study
from tests.factories.studies import make_study, make_user
from tests.studies.uploads import make_file, run_jobs

pytestmark = pytest.mark.django_db
NEW = "/import/"
TABLE = "img;text;model;score;annotator\na;A dog.;m1;3;ann\na;A cat.;m2;1;ann\na;A dog.;m1;4;bob\n"
TOKENS = "".join(f"{image}.jpg#{number}\tCaption {number} of {image} .\n" for image in "ab" for number in range(5))
EXPERTS = "a.jpg\tb.jpg#0\t1\t1\t2\nb.jpg\ta.jpg#1\t1\t2\t1\n"


@pytest.fixture(autouse=True)
def root(settings, tmp_path):
    settings.ACCORDANCE_UPLOADS = tmp_path / "uploads"
    return settings.ACCORDANCE_UPLOADS


def _send(client, *, address=NEW, **given):
    sent = client.post(address, {"format": "table", **given})
    run_jobs()
    return sent


def test_table_becomes_a_closed_study_of_its_user(researcher, owner, root) -> None:
    sent = _send(researcher, items=make_file("mine.csv", TABLE), name="mine", scale="1-5")

    done = researcher.get(sent.url)
    study = Study.objects.get()
    assert (done.status_code, done.url) == (302, "/studies/mine/")
    assert (study.owner, study.state, study.name) == (owner, StudyState.CLOSED, "mine")
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [1, 3, 4]
    assert sorted(Candidate.objects.values_list("system__name", "text")) == [("m1", "A dog."), ("m2", "A cat.")]
    assert "Imported: study mine" in unescape(researcher.get(done.url).content.decode())
    assert AuditEntry.objects.get().interface == Interface.PAGE
    assert list(root.iterdir()) == []


def test_column_with_another_name_is_named_by_hand(researcher) -> None:
    table = make_file("mine.csv", TABLE.replace("score", "punkte"))
    sent = _send(researcher, items=table, name="mine")
    failed = unescape(researcher.get(sent.url).content.decode())

    _send(researcher, address=sent.url, name="mine", column_value="punkte")

    assert "Mine.csv: needs column value=COLUMN" in failed
    assert "img, text, model, punkte, annotator" in failed
    assert "Uploaded: mine.csv." in failed
    assert researcher.get(sent.url).url == "/studies/mine/"


def test_failed_import_leaves_nothing_and_can_be_deleted(researcher, root) -> None:
    sent = _send(researcher, items=make_file("mine.csv", TABLE), scale="1-2")

    page = unescape(researcher.get(sent.url).content.decode())
    discarded = researcher.post(f"{sent.url}discard/")

    assert "Mine.csv, line 2, field score: must be one of 1, 2, got '3'" in page
    assert Study.objects.count() == 0
    assert (discarded.url, list(root.iterdir())) == (NEW, [])


@pytest.mark.parametrize("is_zipped", [True, False])
def test_published_data_set_is_read_from_its_files(researcher, is_zipped) -> None:
    contents = {"Flickr8k.token.txt": TOKENS, "ExpertAnnotations.txt": EXPERTS}
    items = [make_file(name, content) for name, content in contents.items()]
    if is_zipped:
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content in contents.items():
                archive.writestr(name, content)
        items = [make_file("flickr.zip", buffer.getvalue())]

    sent = _send(researcher, format="flickr8k-expert", items=items)

    assert researcher.get(sent.url).url == "/studies/flickr8k-expert/"
    assert Judgment.objects.count() == 6


def test_message_has_no_path_of_the_server(researcher, root) -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("other.txt", "x")
    alone = _send(researcher, format="flickr8k-expert", items=[make_file(f"{each}.txt", "x") for each in "ab"])
    zipped = make_file("captions.zip", buffer.getvalue())
    coco = _send(researcher, format="coco", items=make_file("captions_val2014_x_results.json", "[]"), references=zipped)

    pages = [unescape(researcher.get(sent.url).content.decode()) for sent in (alone, coco)]

    assert ["is not in the folder the upload" in pages[0], "must hold one file" in pages[1]] == [True, True]
    assert [str(root) in page for page in pages] == [False, False]


def test_two_files_of_one_name_are_refused(researcher) -> None:
    items = [make_file("Flickr8k.token.txt", TOKENS), make_file("Flickr8k.token.txt", "x")]

    sent = _send(researcher, format="flickr8k-expert", items=items)

    assert "Flickr8k.token.txt: must be uploaded only once" in unescape(researcher.get(sent.url).content.decode())


def test_taken_name_gets_a_number_and_an_invalid_one_is_refused_at_once(researcher) -> None:
    make_study("mine")

    sent = _send(researcher, items=make_file("mine.csv", TABLE), name="mine")
    refused = _send(researcher, items=make_file("mine.csv", TABLE), name="new")

    assert researcher.get(sent.url).url == "/studies/mine-2/"
    assert refused.status_code == 422
    assert "must not be the name of a page" in unescape(refused.content.decode())


def test_name_of_the_file_gets_a_number_if_it_is_taken(researcher) -> None:
    make_study("table", owner=make_user("somebody"))

    sent = _send(researcher, items=make_file("table.csv", TABLE))

    assert researcher.get(sent.url).url == "/studies/table-2/"


def test_import_is_for_its_user_alone_and_is_no_upload_of_a_study(researcher) -> None:
    sent = _send(researcher, items=make_file("mine.csv", TABLE), scale="1-2")
    token = sent.url.split("/")[-2]
    stranger = Client()
    stranger.force_login(make_user("stranger"))

    assert [stranger.get(sent.url).status_code, stranger.post(f"{sent.url}discard/").status_code] == [404, 404]
    assert researcher.get(f"/studies/new/{token}/").status_code == 404
    assert "Unfinished uploads" not in researcher.get("/studies/new/").content.decode()


def test_too_large_an_import_is_refused_before_it_is_read(researcher, settings) -> None:
    settings.ACCORDANCE_UPLOAD_MB = 0

    answer = researcher.post(NEW, {"format": "table", "items": make_file("mine.csv", TABLE)})

    assert answer.status_code == 413


def test_page_offers_every_format_but_folders_of_folders() -> None:
    assert set(FORMATS) - set(UPLOADED_FORMATS) == {"shapeworld"}
