"""Tests that a backup of database and files identifies nobody: no panel ids, invited names or addresses."""

import base64
import sqlite3

import pytest

from tests.security.client import Client

PID, SESSION, OWN_STUDY = "5f1d" * 6, "6e2c" * 6, "7a3b" * 6
WORKER, ASSIGNMENT, HIT = "A2PLANTEDWORKER9", "3PLANTEDASSIGNMENT7", "3PLANTEDHIT5"
NAMED, STUDENT, VISIT = "zoe.planted@example.org", "student-planted-4711", "visit-planted-0815"
ADDRESSES = ("203.0.113.77", "2001:db8:77:88:99::1")
PLANTED = (PID, SESSION, OWN_STUDY, WORKER, ASSIGNMENT, HIT, NAMED, STUDENT, VISIT, *ADDRESSES)

MAKE = """
from django.contrib.auth import get_user_model
from studies.design.study_design import Panel, Pay
from studies.models import Study
from tests.factories.open_studies import make_open_study
owner = get_user_model().objects.create_superuser("anna", password="a long password")
ways = {
    "prolific": {},
    "amt": {},
    "generic": {"id_parameter": "who", "session_parameter": "visit"},
    "in_house": {},
}
for kind, way in ways.items():
    codes = {"finished": f"{kind}-done", "left": f"{kind}-left"}
    panel = Panel(kind=kind, codes=codes, **way)
    study = make_open_study(f"by-{kind}", panel=panel, pay=Pay(reward=1.0, hourly_wage=3000.0), lease_minutes=10)
    Study.objects.filter(pk=study.pk).update(owner=owner)
    print(study.join_token)
"""


def _list_forms(text: str) -> list[bytes]:
    """Return a text as it stands, in hexadecimal digits, and as base64 has it at any place of something longer."""
    plain = text.encode()
    aligned = [base64.b64encode(b"." * before + plain).rstrip(b"=") for before in range(3)]
    # The first and the last letters of base64 depend on what stands beside it.
    inner = [one[4:-2] for one in aligned]
    urlsafe = [one.replace(b"+", b"-").replace(b"/", b"_") for one in inner]
    return [plain, plain.hex().encode(), *inner, *urlsafe]


def _find_planted(content: bytes) -> set[str]:
    return {text for text in PLANTED for form in _list_forms(text) if form in content}


def _take_part(site, path: str, *, address: str) -> Client:
    """Come, agree, answer one task, and send a wrong answer to another; return the browser."""
    rater = site.visit(address=address)
    joined = rater.submit(rater.get(path).find_form(having="agrees"), agrees="on")
    assert joined.status == 200
    start = path.split("?")[0]
    (task,) = (form for form in rater.get(f"{start}task/").forms if form.choices)
    answered = rater.submit(task, **{name: offered[2] for name, offered in task.choices.items()})
    assert answered.status == 200
    (wrong,) = (form for form in rater.get(f"{start}task/").forms if form.choices)
    rater.submit(wrong, **dict.fromkeys(wrong.choices, "no such answer"))
    return rater


def _dump(folder) -> str:
    connection = sqlite3.connect(folder / "db.sqlite3")
    try:
        return "\n".join(connection.iterdump())
    finally:
        connection.close()


@pytest.fixture
def backup(start_site, tmp_path):
    """Let people come by every panel, do what researchers do, and return the folder of the site."""
    site = start_site()
    prolific, amt, generic, in_house = (f"/r/{token}/" for token in site.call(MAKE))
    people, files = tmp_path / "people.csv", [tmp_path / f"{name}.csv" for name in ("links", "payees", "identities")]
    people.write_text(f"person\n{NAMED}\n")
    site.manage("invite", "by-in_house", "--people", str(people), "--out", str(files[0]))
    link = files[0].read_text().splitlines()[1].split(",")[1]

    _take_part(site, f"{prolific}?PROLIFIC_PID={PID}&STUDY_ID={OWN_STUDY}&SESSION_ID={SESSION}", address=ADDRESSES[0])
    asked = f"assignmentId={ASSIGNMENT}&hitId={HIT}&workerId={WORKER}&turkSubmitTo=https://www.mturk.com&window=1"
    _take_part(site, f"{amt}?{asked}", address=ADDRESSES[1])
    leaving = _take_part(site, f"{generic}?who={STUDENT}&visit={VISIT}", address=ADDRESSES[0])
    _take_part(site, f"{in_house}?{link.split('?')[1]}", address=ADDRESSES[1])
    leaving.submit(leaving.get(f"{generic}leave/").find_form(leading_to="/leave/now/"))
    researcher = site.visit(address=ADDRESSES[0])
    researcher.log_in("anna", "a long password")
    for page in ("/", "/studies/by-prolific/", "/studies/by-prolific/progress/", "/admin/studies/rater/"):
        researcher.get(page, follow=True)
    site.manage("set_state", "by-prolific", "closed")
    site.manage("payments", "by-prolific", "--decide")
    site.manage("payments", "by-prolific", "--payees", str(files[1]), "--paid")
    site.manage("panel_report", "by-generic", "--identities", str(files[2]))

    # They are known to whoever has the key, or nothing would be shown by their absence elsewhere.
    assert PID in files[1].read_text()
    assert STUDENT in files[2].read_text()
    return site.folder


def test_a_backup_names_nobody(backup) -> None:
    found = {"dump": _find_planted(_dump(backup).encode())}
    for path in sorted(path for path in backup.rglob("*") if path.is_file()):
        found[str(path.relative_to(backup))] = _find_planted(path.read_bytes())

    assert {name: planted for name, planted in found.items() if planted} == {}
    assert "db.sqlite3" in found
