"""Tests of the whole demo, as started in a new clone of the repository."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

from studies.management.commands.demo import _print_links
from studies.models import Study
from studies.scoring.study_scoring import NOT_INSTALLED
from studies.simulation.demo.running import DemoResult
from tests.postgres import find_free_port
from tests.prepared_process import PreparedProcess, prepare_process
from tests.studies.installations import make_database
from tests.studies.management.commands.processes import make_environment, start
from tests.studies.management.commands.test_serve import fetch

STUDIES = """
from django.contrib.auth import authenticate
from django.test import RequestFactory
from studies.models import Study
print(*Study.objects.filter(state="open").order_by("pk").values_list("join_token", flat=True))
owner = authenticate(RequestFactory().post("/login/"), username="demo", password={password!r})
print(owner.studies.count())
"""
JUDGMENTS = """
from studies.models import Judgment
print(*Judgment.objects.order_by("pk").values(), sep="\\n")
"""


@dataclass(frozen=True)
class Demo:
    """What the command printed before it served, the pages that it served, its exit code, and where it ran."""

    port: int
    printed: str
    login_page: str
    report: str
    code: int
    process: PreparedProcess


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demo of a new installation, made and served once for all tests of this module: it takes half a minute."""
    folder, port = tmp_path_factory.mktemp("demo"), find_free_port()
    with ExitStack() as stack:
        environment = make_environment(folder)
        if server := os.environ.get("ACCORDANCE_TEST_POSTGRES"):
            environment["DATABASE_URL"] = stack.enter_context(make_database(server, f"demo_{port}"))
        process = stack.enter_context(prepare_process(environment))
        yield _run_demo(port, environment, process, folder / "printed")


def _run_demo(port: int, environment: dict[str, str], process: PreparedProcess, out: Path) -> Demo:
    with out.open("w") as file, start("demo", "--port", str(port), environment=environment, output=file) as running:
        fetch(f"http://127.0.0.1:{port}/login/", within=300)
        with urlopen(f"http://127.0.0.1:{port}/studies/demo-rating/", timeout=30) as response:
            login_page = response.url
        with urlopen(f"http://127.0.0.1:{port}/public/demo-rating/", timeout=30) as response:
            report = response.read().decode()
        running.terminate()
    printed, served, _ = out.read_text().partition("\nServing until Ctrl-C.\n")
    assert served
    return Demo(port, printed, login_page, report, running.returncode, process)


def test_prints_a_label_for_each_link_and_a_login(demo):
    printed, site = demo.printed, f"http://127.0.0.1:{demo.port}"

    assert len(printed.splitlines()) <= 16
    assert "simulated or computed; they were not made by people" in printed
    password = re.search(r"as demo, password (\S+)$", printed, flags=re.MULTILINE)[1]
    tokens, n_studies = demo.process.call(STUDIES.format(password=password))
    links = re.findall(rf"^  (\S.*?) \(open\) +{site}/r/([\w-]+)/$", printed, flags=re.MULTILINE)
    assert [token for _, token in links] == tokens.split()
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
    assert n_studies == "16"
    assert f"{site}/public/demo-rating/" in printed


def test_names_how_to_install_what_was_not_run():
    left_out = (("meteor", f"{NOT_INSTALLED}: pycocoevalcap"), ("novelty", "learns from a corpus of captions"))
    reported = Study(name="demo-rating", title="Ratings", join_token="token")
    result = DemoResult("demo", "password", (reported,), (), reported, failures=(), left_out=left_out)

    last = _print_links(result, site="http://127.0.0.1:8000").splitlines()[-1]

    assert last == (
        "Not run, because they need packages that are not installed: meteor; "
        "`accordance install-metrics` lists them and installs them"
    )


def test_a_second_time_changes_nothing_but_the_password(demo):
    judgments = demo.process.call(JUDGMENTS)

    second = demo.process.manage("demo", "--no-serve", "--port", str(demo.port))

    assert judgments
    assert demo.process.call(JUDGMENTS) == judgments
    assert [line for line in second.splitlines() if "password" not in line] == [
        line for line in demo.printed.splitlines() if "password" not in line
    ]
    assert demo.printed != second


def test_served_pages_are_those_of_the_links(demo):
    assert demo.login_page.endswith("/login/?next=/studies/demo-rating/")
    assert "Report 1 of" in demo.report
    assert demo.code == 0
