"""Tests of creating a study from files on a page: a preview first, and only for the user who uploaded them."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from studies.datasets.staged_uploads import find_staged, save_checked
from studies.enums import StudyState
from studies.models import AuditEntry, Dataset, Image, Item, Study
from tests.factories.studies import make_study, make_user
from tests.studies.uploads import TABLE, make_file, make_pictures, make_references, make_results, make_zip, run_jobs

pytestmark = pytest.mark.django_db
NEW = "/studies/new/"
FACTS = {"name": "mine", "title": "Mine", "start": "preset:coco-m3"}


@pytest.fixture(autouse=True)
def root(settings, tmp_path):
    settings.ACCORDANCE_UPLOADS = tmp_path / "uploads"
    return settings.ACCORDANCE_UPLOADS


def _send(client, *, address=NEW, **files):
    """Send an upload and have it looked at."""
    sent = client.post(address, {**FACTS, "items": make_file("items.csv", TABLE), **files})
    run_jobs()
    return sent


def _make(client, sent):
    """Have a study made of an upload, and return what the upload's page then answers."""
    client.post(f"{sent.url}make/")
    run_jobs()
    return client.get(sent.url)


def test_list_leads_to_the_form(researcher) -> None:
    assert f'href="{NEW}"' in researcher.get("/studies/").content.decode()
    assert researcher.get(NEW).status_code == 200


def test_what_was_sent_is_shown_then_made(researcher, owner, root) -> None:
    sent = _send(researcher, images=make_pictures("a.png", "b.png", "more.png"))
    shown = researcher.get(sent.url).content.decode()
    n_before = Study.objects.count()

    made = _make(researcher, sent)

    study = Study.objects.get()
    assert (sent.status_code, n_before, made.url) == (302, 0, "/studies/mine/design/")
    assert "A dog." in shown
    # The columns come before the button that ends the matter, and what rarely changes is folded.
    assert shown.index("Apply these columns") < shown.index("First rows</h3>") < shown.index("Create the study")
    assert '<details class="panel" id="change">' in shown
    assert shown.count('<img src="data:image/jpeg;base64,') == 2
    assert "Errors</h2>" not in shown
    assert (study.owner, study.state, study.title, Item.objects.count()) == (owner, StudyState.DRAFT, "Mine", 3)
    assert list(root.iterdir()) == []
    assert "Created a draft with 2 images and 3 tasks." in researcher.get(made.url, follow=True).content.decode()
    assert researcher.get(sent.url).url == made.url
    assert researcher.post(f"{sent.url}make/").status_code == 404


def test_errors_are_shown_mended_and_gone(researcher) -> None:
    sent = _send(
        researcher, items=make_file("items.csv", "image,candidate\na,\nc,A cat.\n"), images=make_pictures("a.png")
    )
    shown = unescape(researcher.get(sent.url).content.decode())

    refused = researcher.post(f"{sent.url}make/")
    n_studies = Study.objects.count()
    again = researcher.post(sent.url, {**FACTS, "items": make_file("items.csv", "image,candidate\na,A dog.\n")})
    run_jobs()
    mended = researcher.get(again.url).content.decode()

    assert '<details class="panel" id="change" open>' in shown
    assert '<details class="panel" id="change">' in mended
    assert "Column <code>candidate</code> of items.csv: <b>must not be empty</b>, in line 2." in shown
    assert "must be a file in images.zip</b>, in line 3, got <code>'c'</code>." in shown
    assert "2 errors" in shown
    assert "Create the study" not in shown
    assert (refused.url, n_studies) == (sent.url, 0)
    # The images that came before are still there.
    assert "Errors</h2>" not in mended
    assert _make(researcher, sent).url == "/studies/mine/design/"


def test_coco_files_of_several_systems_are_taken(researcher) -> None:
    results = [make_file(f"{system}.json", make_results({1: f"By {system}."})) for system in ("one", "two")]

    sent = _send(researcher, items=results, images=make_pictures("1.png"), references=make_file(
        "refs.json", make_references({1: ["A reference."]})
    ))  # fmt: skip
    _make(researcher, sent)

    assert list(Item.objects.order_by("pk").values_list("candidate__text", "candidate__system__name")) == [
        ("By one.", "one"),
        ("By two.", "two"),
    ]


def test_references_of_a_table_are_shown_with_what_is_wrong(researcher) -> None:
    references = make_file("refs.csv", "image,reference\na,One <b>dog</b>.\nb,\n")

    sent = _send(researcher, images=make_pictures("a.png", "b.png"), references=references)
    page = researcher.get(sent.url).content.decode()
    again = researcher.post(sent.url, {**FACTS, "references": make_file("refs.csv", "image,reference\na,One dog.\n")})
    run_jobs()
    mended = researcher.get(again.url).content.decode()

    assert "First references" in page
    assert "<td>One &lt;b&gt;dog&lt;/b&gt;.</td>" in page
    assert "Column <code>reference</code> of refs.csv: <b>must not be empty</b>, in line 3." in page
    assert "Errors</h2>" not in mended
    assert "<dt>Images without a reference</dt><dd>1</dd>" in mended
    assert _make(researcher, sent).url == "/studies/mine/design/"


def test_text_is_escaped_wherever_it_is_shown(researcher) -> None:
    hostile = "<script>alert(1)</script>"
    table = f"image,candidate\na,{hostile}\n{hostile},x\n"

    sent = _send(researcher, items=make_file(f"{hostile}.csv", table), title=hostile, images=make_pictures("a.png"))

    page = researcher.get(sent.url).content.decode()
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3
    assert hostile not in page


def test_hostile_zip_is_told_and_nothing_is_kept(researcher, settings) -> None:
    sent = _send(researcher, images=make_zip({"../../evil.png": b"x"}))
    page = unescape(researcher.get(sent.url).content.decode())

    assert "may only have names inside its own folder, without '..'" in page
    assert (Study.objects.count(), Image.objects.count()) == (0, 0)


def test_a_hundred_megabytes_are_refused_before_they_are_read(researcher, settings, root) -> None:
    settings.ACCORDANCE_UPLOAD_MB = 64

    class Endless:
        """A body that must not be read."""

        name = "items.csv"

        def read(self, *_):
            raise AssertionError("read")

        readline = read

    body = {"CONTENT_LENGTH": "104857600", "wsgi.input": Endless()}
    response = researcher.generic("POST", NEW, b"", content_type="multipart/form-data; boundary=x", **body)

    assert response.status_code == 413
    assert "At most 64 MB can be uploaded at once" in response.content.decode()
    assert not root.exists()


def test_form_says_what_is_missing_and_wrong(researcher) -> None:
    response = researcher.post(NEW, {"name": "new", "title": "", "start": "kind:nonsense"})

    page = unescape(response.content.decode())
    assert response.status_code == 422
    assert "This must not be the name of a page, got 'new'" in page
    assert page.count("This field is required.") == 2
    assert "kind:nonsense is not one of the available choices" in page


@pytest.mark.parametrize("name", ["new", "two words", "ä", "a/b", "x" * 91, "../x"])
def test_name_that_cannot_stand_in_an_address_is_refused(researcher, name) -> None:
    sent = _send(researcher, name=name)
    page = researcher.get(sent.url).content.decode()

    assert "the name: <b>must " in page
    assert "Create the study" not in page
    assert not Study.objects.exists()


def test_upload_of_another_is_not_there(researcher, client) -> None:
    sent = _send(researcher, images=make_pictures("a.png", "b.png"))
    stranger = Client()
    stranger.force_login(make_user("stranger"))

    answers = [
        stranger.get(sent.url).status_code,
        *(stranger.post(f"{sent.url}{step}").status_code for step in ("", "make/", "discard/")),
    ]

    assert answers == [404, 404, 404, 404]
    assert researcher.get(sent.url).status_code == 200


def test_form_needs_its_token_against_forgery(owner, root) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)

    assert _send(browser).status_code == 403
    assert not root.exists()


def test_upload_can_be_forgotten(researcher, root) -> None:
    sent = _send(researcher)

    assert researcher.post(f"{sent.url}discard/").url == NEW
    assert list(root.iterdir()) == []


def test_making_is_written_down(researcher, owner) -> None:
    sent = _send(researcher, images=make_pictures("a.png", "b.png"))
    _make(researcher, sent)

    assert list(AuditEntry.objects.values_list("study_name", "actor_name", "interface", "action")) == [
        ("mine", "owner", "page", "created")
    ]


@pytest.mark.parametrize("n_rows", [1, 3])
def test_preview_takes_a_fixed_number_of_queries(researcher, n_rows, django_assert_num_queries) -> None:
    rows = "".join(f"a,Caption {number}.\n" for number in range(n_rows))
    sent = _send(researcher, items=make_file("items.csv", f"image,candidate\n{rows}"), images=make_pictures("a.png"))

    # Who is logged in, twice, and the job; all else is in the upload's folder.
    with django_assert_num_queries(3):
        researcher.get(sent.url)


def test_upload_address_is_that_of_the_token(researcher) -> None:
    sent = _send(researcher)

    assert sent.url == reverse("studies:upload", args=[sent.url.split("/")[-2]])


def test_no_request_reads_what_was_sent(researcher) -> None:
    sent = researcher.post(NEW, {**FACTS, "items": make_file("items.parquet", b"PAR1 and nothing more")})
    waiting = researcher.get(sent.url).content.decode()
    too_early = researcher.post(f"{sent.url}make/", follow=True).content.decode()
    job = Job.objects.get()
    run_jobs()
    looked_at = researcher.get(sent.url).content.decode()

    assert (job.state, job.account.username, Job.objects.count()) == ("queued", "owner", 1)
    assert "Checking your files" in waiting
    assert "Create the study" not in waiting
    assert "the upload: must have been checked." in too_early
    assert "is not an intact Parquet file" in looked_at
    assert "Checking your files" not in looked_at


def test_what_is_sent_again_while_it_is_looked_at_counts(researcher) -> None:
    sent = researcher.post(NEW, {**FACTS, "items": make_file("items.csv", "image,candidate\na,\n")})
    researcher.post(
        sent.url, {**FACTS, "items": make_file("items.csv", TABLE), "images": make_pictures("a.png", "b.png")}
    )
    run_jobs()

    assert [job.state for job in Job.objects.order_by("pk")] == ["cancelled", "done"]
    assert "Errors</h2>" not in researcher.get(sent.url).content.decode()


def test_what_an_older_round_found_is_not_shown(researcher, owner) -> None:
    sent = _send(researcher, images=make_pictures("a.png", "b.png"))
    token = sent.url.split("/")[-2]
    old = find_staged(token, user=owner, now=timezone.now())
    researcher.post(sent.url, {**FACTS, "items": make_file("items.csv", "image,candidate\na,\n")})
    save_checked(old, old.checked)

    assert find_staged(token, user=owner, now=timezone.now()).checked == {}


def test_name_that_was_taken_meanwhile_gets_a_number(researcher) -> None:
    sent = _send(researcher, images=make_pictures("a.png", "b.png"))
    make_study("mine")

    made = _make(researcher, sent)

    assert made.url == "/studies/mine-2/design/"
    assert Study.objects.get(name="mine-2").title == "Mine"


def test_without_a_name_one_is_made_from_the_title_and_shown_before_the_study_is_created(researcher) -> None:
    make_study("beach-test", owner=make_user("somebody"))
    pictures = make_pictures("a.png", "b.png")

    sent = _send(researcher, name="", title="Beach test!", images=pictures)

    page = researcher.get(sent.url).content.decode()
    assert 'name="name" value="beach-test-2"' in page
    assert "somebody" not in page
    assert _make(researcher, sent).url == "/studies/beach-test-2/design/"
    assert sorted(Study.objects.values_list("name", "title"))[-1] == ("beach-test-2", "Beach test!")


def test_an_account_has_so_much_room(researcher, owner, settings) -> None:
    settings.ACCORDANCE_ACCOUNT_STUDIES = 1
    sent = _send(researcher, images=make_pictures("a.png", "b.png"))
    _make(researcher, sent)

    full = unescape(_send(researcher, name="next").content.decode())
    settings.ACCORDANCE_ACCOUNT_STUDIES, settings.ACCORDANCE_ACCOUNT_MB = 0, 1
    large = unescape(_send(researcher, name="next", images=make_file("a.zip", bytes(1 << 20))).content.decode())

    assert "your account: may own at most 1 studies; ask the operator for a higher limit, got 1." in full
    assert "may store at most 1 MB in studies and uploads; ask the operator for a higher limit, got 1.0 with" in large
    assert Dataset.objects.get().n_bytes > 0


def test_uploads_being_checked_are_not_deleted_for_new_ones(researcher) -> None:
    for _ in range(3):
        researcher.post(NEW, {**FACTS, "items": make_file("items.csv", TABLE)})

    refused = researcher.post(NEW, {**FACTS, "items": make_file("items.csv", TABLE)})

    assert "may have at most 3 uploads being checked: wait until one is done" in refused.content.decode()
    run_jobs()
    assert _send(researcher).status_code == 302


FOREIGN = "\ufeffimg;text;model;score\na;A dog.;m1;1\na;A cat.;m2;2\nb;A tree.;m1;3\nb;A bush.;m2;4\n"


def test_columns_are_guessed_shown_and_changed_by_hand(researcher) -> None:
    sent = _send(researcher, items=make_file("mine.csv", FOREIGN), images=make_pictures("a.png", "b.png"))
    guessed = researcher.get(sent.url).content.decode()
    columns = ["image=img", "candidate=model", "system=text", "category="]

    researcher.post(sent.url, {**FACTS, "columns": columns})
    run_jobs()
    changed = researcher.get(sent.url).content.decode()
    made = _make(researcher, sent)

    assert '<option value="candidate=text" selected>text</option>' in guessed
    assert '<option value="system=model" selected>model</option>' in guessed
    assert "Not used: <code>score</code>." in guessed
    assert '<option value="candidate=model" selected>model</option>' in changed
    assert made.url == "/studies/mine/design/"
    assert list(Item.objects.order_by("pk").values_list("candidate__text", "candidate__system__name"))[:1] == [
        ("m1", "A dog.")
    ]


def test_choice_of_columns_that_contradicts_itself_is_refused(researcher) -> None:
    sent = _send(researcher)

    page = researcher.post(sent.url, {**FACTS, "columns": ["image=image", "candidate=image"]})

    assert page.status_code == 422
    assert "the columns: may use each column of the file once, got &#x27;image&#x27;." in page.content.decode()


def test_pairs_are_made_of_a_table_of_systems(researcher) -> None:
    rows = "".join(f"{image};By {system}.;{system}\n" for image in "ab" for system in ("m1", "m2", "m3"))
    start = {"start": "preset:coco-m1", "images": make_pictures("a.png", "b.png")}
    sent = _send(researcher, items=make_file("mine.csv", f"img;text;model\n{rows}"), **start)
    every = researcher.get(sent.url).content.decode()

    again = {**FACTS, "start": "preset:coco-m1", "pairs_per_image": "1", "pair_seed": "7"}
    researcher.post(sent.url, again)
    run_jobs()
    drawn = researcher.get(sent.url).content.decode()
    _make(researcher, sent)

    assert "6 pairs of 3 systems (all pairs of systems of each image)" in every
    assert "2 pairs of 3 systems (1 random pairs of systems of each image, seed 7)" in drawn
    assert Item.objects.count() == 2
    assert Dataset.objects.get().source == "mine.csv, images.zip; 1 random pairs of systems of each image, seed 7"


def test_errors_of_a_column_are_told_once(researcher) -> None:
    rows = "a,\n" * 214
    sent = _send(
        researcher, items=make_file("items.csv", f"image,text\na,A dog.\n{rows}"), images=make_pictures("a.png")
    )

    page = unescape(researcher.get(sent.url).content.decode())

    assert "Column <code>text</code> of items.csv: <b>must not be empty</b>, 214 times, first in line 3." in page
    assert "214 errors." in page
    assert page.count("<td>line ") == 20


def test_rows_that_repeat_others_are_shown(researcher) -> None:
    table = make_file("items.csv", "image,candidate\na,A dog.\nb,A tree.\na,A dog.\n")

    sent = _send(researcher, items=table, images=make_pictures("a.png", "b.png"))

    page = researcher.get(sent.url).content.decode()
    assert "1 row repeats an earlier row" in page
    assert "line 4 repeats line 2" in page
    assert "Create the study" in page


@pytest.mark.parametrize("page", ["/studies/", NEW])
def test_unfinished_upload_is_found_again_by_its_user_only(researcher, page) -> None:
    page = reverse("studies:list") if page != NEW else page
    sent = _send(researcher, title="My captions", images=make_pictures("a.png"))
    stranger = Client()
    stranger.force_login(make_user("stranger"))

    shown, other = (each.get(page).content.decode() for each in (researcher, stranger))

    assert f'<a href="{sent.url}">My captions</a>' in shown
    assert "1 error</span>" in shown
    assert "Unfinished uploads" not in other
    researcher.post(f"{sent.url}discard/")
    assert "Unfinished uploads" not in researcher.get(page).content.decode()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"name": " ", "title": " "}, "This field is required."),
        ({"name": "no spaces"}, "must be 1 to 90 letters"),
        ({"title": " "}, "This field is required."),
    ],
)
def test_files_of_a_refused_form_are_kept(researcher, given: dict, error: str) -> None:
    sent = _send(researcher, **given, images=make_pictures("a.png", "b.png"))
    page = researcher.get(sent.url).content.decode()
    refused = researcher.post(f"{sent.url}make/", follow=True).content.decode()

    again = researcher.post(sent.url, FACTS)
    run_jobs()
    n_before = Study.objects.count()

    assert "The files have been kept." in page
    assert error in page
    assert "Create the study" not in page
    assert "no study was created" in refused
    assert (again.url, n_before) == (sent.url, 0)
    assert _make(researcher, sent).url == "/studies/mine/design/"


def test_new_files_are_kept_when_the_form_of_an_upload_is_refused(researcher) -> None:
    pictures = make_pictures("a.png", "b.png")
    sent = _send(researcher, items=make_file("items.csv", "image,candidate\na,\n"), images=pictures)

    _send(researcher, address=sent.url, title="", items=make_file("more.csv", TABLE))
    refused = researcher.get(sent.url).content.decode()
    researcher.post(sent.url, FACTS)
    run_jobs()

    assert "This field is required." in refused
    assert "more.csv" in researcher.get(sent.url).content.decode()
    assert _make(researcher, sent).url == "/studies/mine/design/"


def test_rows_that_name_no_system_are_told(researcher) -> None:
    table = "image,system,candidate\na,m1,A dog.\nb,,A tree.\n"
    sent = _send(researcher, items=make_file("items.csv", table), images=make_pictures("a.png", "b.png"))

    page = researcher.get(sent.url).content.decode()

    assert "1 row names no system: its caption will be of the system <code>unknown</code>." in page
    assert "Create the study" in page


def test_browser_checks_name_and_title_before_files_are_sent(researcher) -> None:
    page = researcher.get(NEW).content.decode()
    form = page[page.index("uploads-form") : page.index("</form>", page.index("uploads-form"))]

    assert "novalidate" not in form
    assert re.search('name="name"[^>]* pattern="[^"]*"', form)
    assert re.search('name="title"[^>]* pattern="[^"]*"[^>]* required', form)


def test_references_with_other_names_of_columns_are_recognised(researcher) -> None:
    references = make_file("refs.csv", "img,text\na.png,One dog.\na.png,A dog.\n")

    sent = _send(researcher, images=make_pictures("a.png", "b.png"), references=references)
    page = researcher.get(sent.url).content.decode()

    assert "Errors</h2>" not in page
    assert "First references" in page
    assert _make(researcher, sent).url == "/studies/mine/design/"
