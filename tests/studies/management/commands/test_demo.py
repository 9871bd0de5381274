"""Tests of the whole demo, as started in a new clone of the repository."""

import re
from urllib.request import urlopen

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from studies.models import Judgment, Study
from tests.studies.management.commands.processes import make_environment, start
from tests.studies.management.commands.test_serve import fetch, find_free_port


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.django_db
def test_prints_results_links_and_a_login(media, capsys, rf):
    call_command("demo", "--no-serve", "--port", "8765")

    printed = capsys.readouterr().out
    assert printed.startswith("All judgments below are simulated or computed; they were not made by people.\n")
    assert re.findall(r"^Demo: .* \(simulated raters\)$", printed, flags=re.MULTILINE) == [
        "Demo: how well captions fit (simulated raters)",
        "Demo: which caption is better (simulated raters)",
        "Demo: how varied sets of captions are (simulated raters)",
        "Demo: how well captions fit, on a slider (simulated raters)",
        "Demo: person or machine (simulated raters)",
        "Demo: best and worst of four captions (simulated raters)",
        "Demo: write a caption (simulated raters)",
    ]
    assert "\nDemo: true captions of generated worlds (computed)\n" in printed
    tokens = [study.join_token for study in Study.objects.filter(state="open").order_by("pk")]
    links = re.findall(r"http://127.0.0.1:8765/r/([\w-]+)/", printed)
    assert links == tokens
    password = re.search(r"as demo, password (\S+)$", printed, flags=re.MULTILINE)[1]
    assert authenticate(rf.post("/login/"), username="demo", password=password).studies.count() == 16
    assert "http://127.0.0.1:8765/studies/demo-rating/" in printed


@pytest.mark.django_db
def test_a_second_time_changes_nothing_but_the_password(media, capsys):
    call_command("demo", "--no-serve")
    first = capsys.readouterr().out
    judgments = list(Judgment.objects.order_by("pk").values())

    call_command("demo", "--no-serve")

    second = capsys.readouterr().out
    assert list(Judgment.objects.order_by("pk").values()) == judgments
    assert [line for line in second.splitlines() if "password" not in line] == [
        line for line in first.splitlines() if "password" not in line
    ]
    assert first != second


def test_served_pages_are_those_of_the_links(tmp_path):
    port = find_free_port()

    with start("demo", "--port", str(port), environment=make_environment(tmp_path)) as process:
        fetch(f"http://127.0.0.1:{port}/login/", within=90)
        with urlopen(f"http://127.0.0.1:{port}/studies/demo-rating/", timeout=30) as response:
            login_page = response.url
        process.terminate()

    assert login_page.endswith("/login/?next=/studies/demo-rating/")
    assert process.returncode == 0
