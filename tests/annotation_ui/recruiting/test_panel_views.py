"""Tests of the files and keys of single panels on the page of raters."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation_ui.channels import prolific_keys
from studies.design.study_design import Panel
from studies.enums import PanelKind, RaterOutcome
from studies.models import AuditEntry, Judgment
from tests.annotation_ui.channels.batch import make_result, read_pages, write_results
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
PAGE = "/studies/study/raters/"
KEYS = json.dumps({"keys": [{"kty": "RSA", "kid": "k1", "alg": "RS256", "n": "w" * 342, "e": "AQAB"}]})


@pytest.fixture
def researcher(client):
    client.force_login(make_user("owner"))
    return client


def _make_study(client, kind=PanelKind.AMT, **panel):
    study = make_open_study(panel=Panel(kind=kind, codes={RaterOutcome.FINISHED: "DONE1"}, **panel))
    study.owner_id = client.session["_auth_user_id"]
    study.save()
    return study


def test_question_is_downloaded_over_https_alone(researcher) -> None:
    study = _make_study(researcher)

    sent = researcher.post(f"{PAGE}question/", {"frame_height": "700"}, secure=True)
    refused = researcher.post(f"{PAGE}question/", {})

    question = ElementTree.fromstring(sent.content)  # noqa: S314 - our own file
    assert [part.text for part in question] == [f"https://testserver/r/{study.join_token}/", "700"]
    assert sent.headers["Content-Disposition"] == 'attachment; filename="study.xml"'
    assert refused.status_code == 422
    assert "only shows pages with https" in refused.content.decode()


def test_batch_goes_out_and_its_results_come_in(researcher, tmp_path) -> None:
    _make_study(researcher)

    sent = researcher.post(f"{PAGE}batch/", {})
    ZipFile(BytesIO(sent.content)).extractall(tmp_path)
    row, _ = read_pages(tmp_path)[0]
    results = write_results(tmp_path / "results.csv", [make_result(row, "W1", {"q1": "2"})])
    given = {"results": SimpleUploadedFile("Batch_1.csv", results.read_bytes())}
    done = researcher.post(f"{PAGE}results/", given, follow=True)

    assert "Imported 1 assignments by 1 raters; 0 were already known." in done.content.decode()
    assert Judgment.objects.get().value == 2.0
    entries = AuditEntry.objects.filter(action__in=["batch_written", "batch_taken"]).order_by("pk")
    assert [(entry.interface, entry.actor_name) for entry in entries] == [("page", "owner")] * 2


def test_wrong_results_are_refused_with_the_reason(researcher) -> None:
    _make_study(researcher)

    refused = researcher.post(f"{PAGE}results/", {"results": SimpleUploadedFile("a.csv", b"x,y\n1,2\n")})

    assert (refused.status_code, Judgment.objects.count()) == (422, 0)
    assert "must have the columns WorkerId" in refused.content.decode()


@pytest.mark.parametrize("panel", [PanelKind.LINK, PanelKind.PROLIFIC])
def test_other_panels_have_no_batch(researcher, panel) -> None:
    _make_study(researcher, panel)

    page = researcher.get(PAGE).content.decode()

    assert "Download the batch" not in page
    assert researcher.post(f"{PAGE}keys/").status_code == 404


def test_keys_of_prolific_are_fetched_on_its_page(researcher, settings, tmp_path, monkeypatch) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(KEYS.encode())

        def log_message(self, *args):
            pass

    settings.ACCORDANCE_PROLIFIC_KEYS = str(tmp_path / "keys.json")
    _make_study(researcher, PanelKind.PROLIFIC, is_signed=True)
    before = researcher.get(PAGE).content.decode()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(prolific_keys, "ADDRESS", f"http://127.0.0.1:{server.server_port}/")
        done = researcher.post(f"{PAGE}keys/", follow=True).content.decode()
        server.shutdown()

    assert "have not been fetched yet" in before
    assert "Fetched 1 of Prolific&#x27;s keys." in done
    assert "were fetched" in done
    assert (tmp_path / "keys.json").read_text() == KEYS
