"""Tests of the whole demo, as started in a new clone of the repository."""

import re
from contextlib import redirect_stdout
from io import StringIO
from urllib.request import urlopen

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from studies.management.commands.demo import _print_links
from studies.models import Judgment, Study
from studies.scoring.study_scoring import NOT_INSTALLED
from studies.simulation.demo.running import DemoResult
from tests.postgres import find_free_port
from tests.shared_rows import share_in_module
from tests.studies.management.commands.processes import make_environment, start
from tests.studies.management.commands.test_serve import fetch


def run_demo() -> str:
    """Run the demo and return what it printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        call_command("demo", "--no-serve", "--port", "8765")
    return printed.getvalue()


# Once for all tests of this module, since it takes half a minute.
demo_of_module = share_in_module(run_demo)


@pytest.fixture
def first(demo_of_module, settings, tmp_path) -> str:
    """What the first run of the demo printed."""
    settings.MEDIA_ROOT = tmp_path
    return demo_of_module.take(tmp_path)


@pytest.mark.django_db
def test_prints_a_label_for_each_link_and_a_login(first, rf):
    printed = first

    assert len(printed.splitlines()) <= 16
    assert "simulated or computed; they were not made by people" in printed
    tokens = [study.join_token for study in Study.objects.filter(state="open").order_by("pk")]
    links = re.findall(r"^  (\S.*?) \(open\) +http://127.0.0.1:8765/r/([\w-]+)/$", printed, flags=re.MULTILINE)
    assert [token for _, token in links] == tokens
    assert [label for label, _ in links] == [
        "Ratings",
        "Pairs",
        "Sets of captions",
        "Slider",
        "Person or machine",
        "Best and worst",
        "Written captions",
        "Worlds with known truth",
    ]
    password = re.search(r"as demo, password (\S+)$", printed, flags=re.MULTILINE)[1]
    assert authenticate(rf.post("/login/"), username="demo", password=password).studies.count() == 16
    assert "http://127.0.0.1:8765/public/demo-rating/" in printed


def test_names_how_to_install_what_was_not_run():
    left_out = (("meteor", f"{NOT_INSTALLED}: pycocoevalcap"), ("novelty", "learns from a corpus of captions"))
    reported = Study(name="demo-rating", title="Ratings", join_token="token")
    result = DemoResult("demo", "password", (reported,), (), reported, failures=(), left_out=left_out)

    last = _print_links(result, site="http://127.0.0.1:8000").splitlines()[-1]

    assert last == (
        "Not run, because they need packages that are not installed: meteor; "
        "`accordance install-metrics` lists them and installs them"
    )


@pytest.mark.django_db
def test_a_second_time_changes_nothing_but_the_password(first):
    judgments = list(Judgment.objects.order_by("pk").values())

    second = run_demo()

    assert list(Judgment.objects.order_by("pk").values()) == judgments
    assert [line for line in second.splitlines() if "password" not in line] == [
        line for line in first.splitlines() if "password" not in line
    ]
    assert first != second


def test_served_pages_are_those_of_the_links(tmp_path):
    port = find_free_port()

    with start("demo", "--port", str(port), environment=make_environment(tmp_path)) as process:
        fetch(f"http://127.0.0.1:{port}/login/", within=300)
        with urlopen(f"http://127.0.0.1:{port}/studies/demo-rating/", timeout=30) as response:
            login_page = response.url
        with urlopen(f"http://127.0.0.1:{port}/public/demo-rating/", timeout=30) as response:
            report = response.read().decode()
        process.terminate()

    assert login_page.endswith("/login/?next=/studies/demo-rating/")
    assert "Report 1 of" in report
    assert process.returncode == 0
