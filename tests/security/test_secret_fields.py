"""Tests that planted secrets of a study are in no page, export, bundle, command output or API response."""

from io import StringIO

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command, get_commands
from django.db import transaction
from django.urls import reverse

from annotation_ui.previewing.views import NO_CODE
from studies.access.audit import Actor
from studies.analysis.explorer.plots import PARTS as EXPLORED
from studies.analysis.preregistration.deviations import list_study_deviations
from studies.analysis.reports import FORMS
from studies.design.changes import change_design
from studies.design.design_history import compare_designs
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import Interface, PanelKind, RaterOutcome
from studies.forms.design.steps import STEPS, StepForm
from studies.models import DesignDraft, Preregistration, StudyVersion
from studies.publishing.exporting.files import FILES
from studies.publishing.exporting.results import RESULT_FORMATS
from studies.publishing.report_pages import PARTS as REPORTED
from studies.shared.errors import ImportFailed
from tests.factories.open_studies import draw_picture, make_open_study
from tests.factories.studies import NOW, make_user
from tests.security.planting import list_secret_models, plant_design, plant_models
from tests.studies.admin.rows import _make_panel, make_rows
from tests.studies.api_endpoints import API
from tests.studies.page_rights import NAME, PAGES, PAY, Access, fill, make_address, make_report
from tests.studies.people import make_people
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import list_items, make_scored_study
from tests.studies.views.test_permissions import list_admin_addresses

pytestmark = pytest.mark.django_db
ROLES = ("owner", "editor", "superuser", "analyst", "viewer", "anonymous")
MAY_CHANGE = {"owner", "editor", "superuser"}
TELLING = {
    "panel_report": "what a panel should show, submission by submission, with the code of each",
    "prolific": "what the operator pastes into the panel's form, which are the codes",
    "invite": "the personal links that it makes",
    "resume_link": "the link that it makes",
    "simulate": "made-up visits to a copy of the study; tests/studies/simulation has its report",
}
"""Commands that tell a secret on purpose, to who has the database anyway; or that are tested elsewhere."""
MAY_REFUSE = {"caption", "payments", "plan", "rank_systems", "robustness", "set_state"}
NO_STUDY = {
    "background", "demo", "erase_expired", "import_data", "create_study", "rebuild", "serve", "collect_captions",
    "import_scores", "migrate", "rotate_identity_key", "fetch_prolific_keys", "replay_erasures", "lift_limits",
    "strip_pictures",
}  # fmt: skip
"""Commands that read no study's design to tell of it."""


@pytest.fixture
def study():
    study = make_scored_study(owner=make_user("owner"))
    list_items(study)[0].image.file.save("picture.png", ContentFile(draw_picture()))
    return study


@pytest.fixture
def planted(study):
    """Plant secrets, and make all that tells of a study: a preregistration, a report, people, a panel's visits."""
    values = plant_design(study)
    make_preregistration(study)
    make_report(study)
    rater = study.raters.get(pseudonym="rater-1")
    _make_panel(study, rater)
    DesignDraft.objects.create(study=study, user=study.owner, step="raters", revision="1", based_on=1, saved_at=NOW)
    plant_models(values)
    return values


def ask(client, person, name, access, study):
    """Return all that is sent to a person from an address, and leave the database as it was."""
    with transaction.atomic():
        address, data = make_address(name.partition(" ")[0], access, study), fill(access.data, study)
        client.logout()
        if person.pk:
            client.force_login(person)
        sent = {"content_type": "application/json"} if address.startswith("/api/") and access.method != "get" else {}
        response = getattr(client, access.method)(address, data, **sent)
        content = b"".join(response.streaming_content) if response.streaming else response.content
        transaction.set_rollback(True)
    return str(response.headers).encode() + b"\n" + content, response.status_code


def walk(client, study, planted, accesses, *, roles=ROLES):
    """Return (address, role) -> the secrets found there."""
    people = make_people(study)
    asked = {
        (name, role): ask(client, people[role], name, access, study)[0] for name, access in accesses for role in roles
    }
    return {key: found for key, content in asked.items() if (found := planted.find(content))}


def test_pages_tell_secrets_on_the_form_of_the_design_alone(client, study, planted) -> None:
    found = walk(client, study, planted, PAGES.items())

    shown = {path for path in planted if path.startswith("design.") and "before" not in path}
    assert len(shown) >= 2 + len(RaterOutcome)
    # The owner downloads what the panel asks for: which submissions to approve, by their ids and codes.
    owned = {"Submission.code", "Submission.session_id"}
    assert found == {
        **{("studies:step", role): shown for role in MAY_CHANGE},
        **{("studies:submissions_file", role): owned for role in MAY_CHANGE - {"editor"}},
    }


@pytest.mark.parametrize("data", [{"pay-currency": "nothing"}, PAY], ids=["invalid", "deviation to confirm"])
def test_a_refused_form_of_the_design_tells_secrets_to_who_may_change_it(client, study, planted, data) -> None:
    design = StudyDesign.from_json(load_newest_version(study).design)
    shown = StepForm(STEPS["raters"], kind=study.kind, design=design).write()
    access = Access("", "post", {**NAME, "step": "raters"}, data={**shown, **data})

    found = walk(client, study, planted, [("studies:step", access)])

    assert {role for _, role in found} == MAY_CHANGE


def test_the_api_tells_no_secret(client, study, planted) -> None:
    assert walk(client, study, planted, API.items(), roles=("owner", "viewer", "anonymous")) == {}


def test_files_of_every_form_tell_no_secret(client, study, planted) -> None:
    report = {**NAME, "number": 1}
    parts = [
        *(("export", {**NAME, "part": part, "file_format": form}) for part, form in FILES),
        *(("results", {**NAME, "file_format": form}) for form in RESULT_FORMATS),
        *(("report_part", {**report, "part": part, "file_format": form}) for part, form in REPORTED),
        *(
            ("explore_part", {**NAME, "part": part, "file_format": form})
            for part, (forms, _) in EXPLORED.items()
            for form in forms
        ),
    ]
    accesses = [
        (f"{space}:{route}", Access("", arguments=arguments, query="?metric=length"))
        for space in ("studies", "api")
        for route, arguments in parts
    ]
    viewer = make_people(study)["viewer"]

    answers = {(name, str(access.arguments)): ask(client, viewer, name, access, study) for name, access in accesses}

    assert {key: found for key, (content, _) in answers.items() if (found := planted.find(content))} == {}
    assert sum(status == 200 for _, status in answers.values()) > len(accesses) / 2


def test_the_admin_tells_no_secret(client) -> None:
    make_rows([0])
    study = StudyVersion.objects.latest("pk").study
    planted = plant_design(study)
    plant_models(planted)
    operator = make_user("operator", is_staff=True, is_superuser=True)
    client.force_login(operator)
    versions = [
        reverse("admin:studies_studyversion_change", args=[version.pk]) for version in StudyVersion.objects.all()
    ]
    rows = [
        reverse(f"admin:studies_{model._meta.model_name}_change", args=[model.objects.get().pk])
        for model in list_secret_models()
    ]

    pages = {address: client.get(address) for address in [*list_admin_addresses(), *versions, *rows]}

    found = {address: planted.find(page.content) for address, page in pages.items() if not page.streaming}
    assert {address: paths for address, paths in found.items() if paths} == {}
    assert {pages[address].status_code for address in (*versions, *rows)} == {200}


def test_raters_see_a_code_at_their_end_alone(client) -> None:
    study = make_open_study()
    planted = plant_design(study)
    access = f"/r/{study.join_token}/"
    first, joined = client.get(access), client.post(access, {"agrees": "on", "nonce": "n"}, follow=True)
    pages = [first, joined, *(client.get(f"{access}{page}/") for page in ("instructions", "task", "leave", "pause"))]

    assert [planted.find(page.content) for page in pages] == [set()] * len(pages)


COMMANDS = {
    "add_perturbed_checks": ["study --number 1 --distortions rc --confirm-deviation"],
    "agreement": ["study", "study --json"],
    "caption": ["study-data --captioner object-template --objects {folder}/objects.json"],
    "amt_batch": ["study --out {folder}"],
    "amt_template": ["study --base-url https://a.example --out {folder}/hit.xml"],
    "compare": ["study --resamples 10", "study --resamples 10 --json"],
    "correlate": ["study", "study --json"],
    "export_scores": ["study --out {folder}/scores.csv"],
    "freeze_report": ["study --resamples 10"],
    "matrix": ["", "study:1", "study:1 --out {folder}/matrix.json"],
    "make_bundle": ["study 1 --out {folder}/bundle.zip"],
    "multiverse": ["study"],
    "payments": ["study --decide --payees {folder}/payees.csv"],
    "plan": ["precision --pilot study --json"],
    "quality": ["study"],
    "rank_systems": ["study", "study --json"],
    "robustness": ["study-data --metrics length --steps 2 --out {folder}/robustness.json"],
    "score": ["study --metrics length"],
    "set_state": ["study open"],
    "show_report": ["study 1", *(f"study 1 --out {{folder}}/report{form}" for form in FORMS)],
}
"""Command that reads a study -> how it is called; a command may refuse, which tells something as well."""


def test_every_command_is_tried() -> None:
    known = {name for name, app in get_commands().items() if app in ("studies", "annotation_ui")}

    missing = known - set(COMMANDS) - set(TELLING) - NO_STUDY
    assert missing == set(), "say in COMMANDS how they are called"


def choose_panel(study, kind):
    version = load_newest_version(study)
    version.design["panel"]["kind"] = kind
    version.save()


def test_commands_and_the_files_that_they_write_tell_no_secret(study, planted, tmp_path) -> None:
    choose_panel(study, PanelKind.AMT)
    told, refusals = {}, []
    for name, calls in COMMANDS.items():
        for number, line in enumerate(calls):
            printed = StringIO()
            with transaction.atomic():
                try:
                    call_command(name, *line.format(folder=tmp_path).split(), stdout=printed, stderr=printed)
                except (CommandError, ImportFailed) as refusal:
                    refusals.append(name)
                    printed.write(str(refusal))
                transaction.set_rollback(True)
            told[f"{name} {number}"] = printed.getvalue().encode()
    told |= {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    assert {name: found for name, content in told.items() if (found := planted.find(content))} == {}
    # Its panel is another, or the study is not such that they have anything to do.
    assert set(refusals) <= MAY_REFUSE


def test_only_commands_of_the_panel_print_completion_codes(study, planted, capsys) -> None:
    with pytest.raises(CommandError, match="names the panel link, not prolific"):
        call_command("prolific", "study")
    choose_panel(study, PanelKind.PROLIFIC)
    call_command("prolific", "study")

    assert "design.panel.codes.finished" in planted.find(capsys.readouterr().out.encode())


def test_a_secret_that_changed_is_no_deviation_and_shows_no_value(study) -> None:
    actor = Actor(study.owner, Interface.PAGE)
    codes = {"finished": "FIRST1"}
    change_design(study, changes={"panel": {"kind": "prolific", "codes": codes}}, now=NOW, actor=actor)
    make_preregistration(study)
    first = StudyDesign.from_json(load_newest_version(study).design)
    change_design(study, changes={"panel": {"kind": "prolific", "codes": {"finished": "OTHER2"}}}, now=NOW, actor=actor)
    second = StudyDesign.from_json(load_newest_version(study).design)

    (change,) = compare_designs(first, second)
    assert (change.field, change.before, change.after) == (
        "panel.codes.finished", "(set, not shown)", "(changed, not shown)",
    )  # fmt: skip
    assert [each.what for each in list_study_deviations(study) if each.what != "metrics added"] == []
    assert "codes" not in Preregistration.objects.get().content


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"kind": "prolific", "id_parameter": "pid"}, {RaterOutcome.FINISHED: "FIRST1"}),
        ({"kind": "prolific", "codes": {}}, {}),
        ({"kind": "prolific", "codes": {"left": "LEFT1"}}, {RaterOutcome.LEFT: "LEFT1"}),
    ],
)
def test_a_part_sent_without_its_secrets_keeps_them(client, study, sent, kept) -> None:
    actor, codes = Actor(study.owner, Interface.PAGE), {"finished": "FIRST1"}
    change_design(study, changes={"panel": {"kind": "prolific", "codes": codes}}, now=NOW, actor=actor)
    client.force_login(study.owner)
    address = "/api/v1/studies/study/versions/"

    told = client.get(address).json()["results"][0]
    made = client.post(address, {"changes": {"panel": sent}}, content_type="application/json")

    assert (told["secrets"], "codes" in told["design"]["panel"]) == (["panel.codes.finished"], False)
    assert made.status_code == 201
    assert StudyDesign.from_json(load_newest_version(study).design).panel.codes == kept


def test_the_form_tells_a_viewer_what_is_set_and_not_what(client, study, planted) -> None:
    client.force_login(make_people(study)["viewer"])

    page = client.get("/studies/study/design/raters/").content.decode()

    assert page.count("Set. Only the owner and editors can see the value.") == 2 + len(RaterOutcome)


def test_a_preview_shows_a_code_that_is_none(client, study, planted) -> None:
    client.force_login(study.owner)

    page = client.get(reverse("preview:thanks", args=[study.join_token])).content.decode()

    assert NO_CODE in page
