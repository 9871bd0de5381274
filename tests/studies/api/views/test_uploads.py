"""Tests of drafts from uploaded files and from other studies: all errors are listed, and then nothing is stored."""

from pathlib import Path

import pytest
from django.test import Client

from studies.datasets.drafts.columns import list_fields
from studies.enums import TaskKind
from studies.models import AuditEntry, Dataset, Item, Study
from tests.factories.studies import make_study, make_user
from tests.studies.scored import make_scored_study
from tests.studies.uploads import TABLE, make_file, make_pictures, make_references, run_jobs

pytestmark = pytest.mark.django_db
UPLOADS = "/api/v1/uploads/"
WORDS = {"name": "mine", "title": "Mine", "start": "preset:coco-m3"}
WRONG = "image,system,candidate\na,m1,\nb,m2,A cat.\nc,m1,A tree.\n"


@pytest.fixture
def owner(client, settings, tmp_path):
    settings.ACCORDANCE_UPLOADS = str(tmp_path / "uploads")
    settings.MEDIA_ROOT = tmp_path / "media"
    owner = make_user("owner")
    client.force_login(owner)
    return owner


@pytest.fixture
def study(owner):
    """A study of this test alone, since others here make their own `owner`."""
    return make_scored_study(owner=owner)


def make_form(table=TABLE, *names, **extra):
    files = {"items": make_file("items.csv", table), "images": make_pictures(*(names or ("a.png", "b.png")))}
    return {**WORDS, **files, **extra}


def list_kept(settings):
    root = Path(settings.ACCORDANCE_UPLOADS)
    return sorted(root.iterdir()) if root.is_dir() else []


def send(client, data, *, address=UPLOADS):
    """Send an upload, have it worked on, and return the answer and what the upload then says."""
    answer = client.post(address, data)
    run_jobs()
    return answer, client.get(answer["Location"]).json()


def list_told(state):
    return [(each["file"], each["record"], each["field"], each["rule"]) for each in state["look"]["faults"]]


def test_a_draft_of_three_files(client, owner, settings):
    references = make_file("captions.json", make_references({1: ["A dog runs."]}, files={1: "a.png"}))

    response, state = send(client, make_form(references=references))

    assert (response.status_code, response.json()["state"], response.json()["look"]) == (202, "queued", None)
    assert (state["state"], state["study"], state["problem"]) == ("done", "mine", "")
    made = client.get("/api/v1/studies/mine/").json()
    assert (made["study"]["name"], made["study"]["state"], made["study"]["owner"]) == ("mine", "draft", "owner")
    assert (made["n_tasks"], Item.objects.count()) == (3, 3)
    entry = AuditEntry.objects.get(action="created")
    assert (entry.actor, entry.interface, list_kept(settings)) == (owner, "api", [])


JUDGED = "image,system,candidate,value,rater\na,m1,A dog.,1,ann\na,m2,A cat.,2,ann\nb,m1,A tree.,2,bob\n"


def test_a_table_of_judgments_becomes_a_closed_study(client, owner, settings):
    captions = make_file("captions.csv", "image,caption\na,A dog runs.\nb,A tall tree.\n")
    form = {"name": "judged", "judgments": make_file("judged.csv", JUDGED), "references": captions, "scale": "1-3"}

    response, state = send(client, form, address=f"{UPLOADS}judgments/")

    assert (response.status_code, response.json()["state"], response.json()["look"]) == (202, "queued", None)
    assert (state["state"], state["study"], state["problem"]) == ("done", "judged", "")
    made = Study.objects.get()
    assert (made.name, made.state, made.owner, Item.objects.count(), list_kept(settings)) == (
        *("judged", "closed", owner, 3),
        [],
    )


@pytest.mark.parametrize(
    ("table", "chosen", "problem"),
    [
        (JUDGED.replace(",2,bob", ",much,bob"), {}, "judged.csv, line 4, field value"),
        (JUDGED, {"scale": "2-3"}, "judged.csv, line 2, field value"),
        (JUDGED, {"protocol": "nonsense@1"}, "nonsense@1"),
    ],
)
def test_a_table_of_judgments_that_breaks_a_rule_makes_nothing(client, owner, table, chosen, problem):
    form = {"name": "judged", "judgments": make_file("judged.csv", table), **chosen}

    _, state = send(client, form, address=f"{UPLOADS}judgments/")

    assert (state["state"], state["study"], Study.objects.count()) == ("failed", None, 0)
    assert problem in state["problem"]
    # It is not for the pages that make drafts.
    assert client.get(f"/studies/new/{state['token']}/").status_code == 404
    assert client.delete(f"{UPLOADS}{state['token']}/").status_code == 204


def test_every_fault_is_told_and_nothing_is_left(client, owner, settings):
    _, state = send(client, make_form(WRONG))

    assert (state["state"], state["study"]) == ("failed", None)
    assert state["problem"] == "2 errors in the uploaded files; no study was created"
    assert list_told(state) == [
        ("items.csv", "line 2", "candidate", "must not be empty"),
        ("items.csv", "line 4", "image", "must be a file in images.zip"),
    ]
    assert state["look"]["faults"][1]["got"] == "'c'"
    assert client.delete(f"{UPLOADS}{state['token']}/").status_code == 204
    assert (Study.objects.count(), Dataset.objects.count(), list_kept(settings)) == (0, 0, [])


def test_checking_an_upload_creates_no_study(client, owner, settings):
    _, good = send(client, make_form(), address=f"{UPLOADS}look/")
    _, bad = send(client, make_form(WRONG), address=f"{UPLOADS}look/")
    n_studies = Study.objects.count()

    assert good["look"] == {
        "columns": ["image", "system", "candidate"],
        "rows": [["a", "m1", "A dog."], ["a", "m2", "A cat."], ["b", "m1", "A tree."]],
        "reference_columns": [],
        "reference_rows": [],
        "n_rows": 3,
        "n_tasks": 3,
        "n_images": 2,
        "n_references": 0,
        "n_unreferenced": 2,
        "n_files": 2,
        "n_unused": 0,
        "faults": [],
        "uses": [
            {"field": field, "column": field if field in ("image", "system", "candidate") else ""}
            for field in list_fields(TaskKind.RATING)
        ],
        "unused": [],
        "pairs": None,
        "repeats": {"n": 0, "examples": []},
        "n_nameless": 0,
    }
    assert (bad["state"], [each["record"] for each in bad["look"]["faults"]]) == ("done", ["line 2", "line 4"])
    assert n_studies == 0
    refused = client.post(f"{UPLOADS}{bad['token']}/make/")
    asked = client.post(f"{UPLOADS}{good['token']}/make/")
    run_jobs()
    assert (refused.status_code, len(refused.json()["errors"]), asked.status_code) == (400, 2, 202)
    assert client.get(asked["Location"]).json()["study"] == "mine"


def test_upload_of_another_is_not_there(client, owner):
    _, state = send(client, make_form(WRONG))
    address = f"{UPLOADS}{state['token']}/"
    client.force_login(make_user("stranger"))

    assert [client.get(address).status_code, client.delete(address).status_code] == [404, 404]


def test_fields_of_the_form_are_checked_first(client, owner):
    response = client.post(UPLOADS, {"name": "a name", "start": "preset:nothing"})

    assert response.status_code == 400
    assert [each["field"] for each in response.json()["errors"]] == ["title", "name", "start", "items"]


def test_more_than_may_be_sent(client, owner, settings):
    settings.ACCORDANCE_UPLOAD_MB = 0

    response = client.post(UPLOADS, make_form())

    assert response.status_code == 413
    assert response.json()["detail"].startswith(
        "At most 0 MB can be uploaded at once; ask the operator for a higher limit"
    )


def test_a_login_needs_the_token_of_a_form_in_a_header(owner):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    token = "x" * 32
    browser.cookies["csrftoken"] = token

    assert browser.post(UPLOADS, make_form()).status_code == 403
    assert browser.post(UPLOADS, make_form(), headers={"X-CSRFToken": token}).status_code == 202


def test_without_a_name_one_is_made_from_the_title(client, owner):
    make_study("beach-test", owner=make_user("somebody"))

    _, said = send(client, make_form(name="", title="Beach test"))

    assert said["study"] == "beach-test-2"


def test_a_clone_without_a_name_and_one_whose_name_is_taken(api, study):
    make_study("taken", owner=make_user("somebody"))

    made = [api.send("post", "clone/", body).json()["study"] for body in ({"title": "Next"}, {"name": "taken"})]
    copied = api.send("post", "clone/", {}).json()["study"]

    assert [each["name"] for each in made] == ["next", "taken-2"]
    assert copied["title"] == f"{study.title} (2)"


def test_a_clone_with_one_setting_changed(api, study):
    response = api.send("post", "clone/", {"name": "next", "changes": {"pay": {"reward": 2.5}}})

    clone = Study.objects.get(name="next")
    assert (response.status_code, response.json()["version"], response.json()["study"]["title"]) == (201, 2, "next")
    assert (clone.pilot_of, clone.owner, clone.versions.get(number=2).design["pay"]["reward"]) == (
        None,
        study.owner,
        2.5,
    )


def test_a_pilot_has_so_many_tasks(api, study):
    made = api.send("post", "clone/", {"name": "pilot", "title": "A pilot", "n_tasks": 2})
    refused = api.send("post", "clone/", {"name": "large", "n_tasks": 4})

    assert (made.json()["n_tasks"], Study.objects.get(name="pilot").pilot_of) == (2, study)
    assert refused.status_code == 400
    assert refused.json()["errors"] == [
        {
            "message": "must be at most 3, the number of main tasks of the study",
            "file": "the pilot",
            "field": "n_tasks",
            "got": "4",
        }
    ]


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"nothing": 1}, "nothing"), ({"pay": {"reward": "much"}}, "pay.reward"), ({"pay": 3}, "pay")],
)
def test_a_clone_with_a_setting_that_makes_no_sense(api, changes, field):
    response = api.send("post", "clone/", {"name": "next", "changes": changes})

    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, field)
    assert not Study.objects.filter(name="next").exists()


def test_columns_and_pairs_are_chosen_by_fields_of_the_form(client, owner):
    table = "bild,text,model\n" + "".join(f"a,By {system}.,{system}\n" for system in ("m1", "m2", "m3"))
    chosen = {"start": "preset:coco-m1", "columns": ["image=bild"], "pairs_per_image": "2", "pair_seed": "5"}

    _, state = send(client, make_form(table, "a.png", **chosen))

    assert (state["state"], state["problem"]) == ("done", "")
    assert Item.objects.count() == 2
    assert Dataset.objects.get().source == "items.csv, images.zip; 2 random pairs of systems of each image, seed 5"
