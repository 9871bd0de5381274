"""Tests of the page of a dataset in a browser: systems by captioners, and the form that adds one."""

import pytest
from playwright.sync_api import Page, expect

from captioning.api import Decoding
from captioning.runtime import load_captioners
from captioning.runtime.trained import open_trained
from studies.access.audit import COMMAND_LINE
from studies.datasets.captioners.writing import caption_dataset
from studies.models import System
from tests.e2e.jobs import background_worker, wait_for_job  # noqa: F401
from tests.e2e.looking import NARROW, PHONE, check_page, follow, show_in_schemes, tab_through
from tests.e2e.researchers.test_pages import DESKTOP, owner, researcher  # noqa: F401
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW
from tests.studies.datasets.captioners.offered import train_common

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NOTE = "text-conditioned"


@pytest.fixture
def study(owner, settings, tmp_path):  # noqa: F811
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ACCORDANCE_CAPTIONERS = str(tmp_path / "captioners")
    folder = train_common(tmp_path / "captioners" / "frequent", note=NOTE)
    made = make_designed_study()
    made.owner = owner
    made.save()
    System.objects.filter(name="study-human").update(is_human=True)
    captioner = open_trained(load_captioners(outside=False), folder)
    for name in ("frequent", "s" * 100):
        caption_dataset(
            made.dataset,
            captioner,
            system=name,
            now=NOW,
            actor=COMMAND_LINE,
            n=2,
            decoding=Decoding.parse("sample,temperature=0.7"),
            folder=folder,
        )
    return made


def test_page_is_accessible_and_fits(researcher: Page, live_server, study) -> None:  # noqa: F811
    researcher.goto(f"{live_server.url}/studies/study/dataset/")
    for scheme in show_in_schemes(researcher, DESKTOP, PHONE, NARROW):
        check_page(researcher, f"dataset-{scheme}")
        tab_through(researcher)


def test_system_is_added_while_the_page_waits(researcher: Page, live_server, study, worker) -> None:  # noqa: F811
    researcher.goto(f"{live_server.url}/studies/study/")
    follow(researcher.get_by_role("link", name="Study-Data"))
    researcher.get_by_label("Name of the system").fill("new-system")
    follow(researcher.get_by_role("button", name="Caption the images"))
    wait_for_job(researcher, has_scripts=True)
    expect(researcher.get_by_role("region", name="Table of systems")).to_contain_text("new-system")
