"""All methods of all API routes with the required right, one row each, as in `page_rights.PAGES`."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from studies.access.audit import COMMAND_LINE
from studies.models import Exclusion, FrozenReport, Judgment, ScoringRequest
from studies.publishing.report_jobs import ReportChoices, request_report
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY, VIEW_STUDY
from tests.factories.studies import NOW
from tests.studies.page_rights import (
    ACCOUNT,
    EVERYBODY,
    NAME,
    PLAN,
    REPORT,
    SYSTEMS_PART,
    Access,
    find_comment,
    find_image,
    find_item,
    find_link,
    find_offer,
    find_preregistration,
    find_token,
    judge_two_systems,
    make_simulation,
    offer_study,
)

ITEM = {**NAME, "pk": find_item}
METHODS = ("get", "post", "put", "patch", "delete")
REPORT_IS_NO_JSON = 404


def leave_out(study) -> str:
    rater = study.raters.get(pseudonym="rater-1")
    Exclusion.objects.get_or_create(rater=rater, lifted_at=None, defaults={"reason": "fast", "decided_at": NOW})
    return rater.pseudonym


def make_report(study) -> int:
    return FrozenReport.objects.get_or_create(
        study=study, number=1, defaults={"content": "{}", "digest": "0", "made_at": NOW}
    )[0].number


def make_run(study) -> int:
    return ScoringRequest.objects.get_or_create(study=study, defaults={"requested_at": NOW, "state": "paused"})[0].pk


def ask_for_report(study) -> int:
    return request_report(study, ReportChoices(), actor=COMMAND_LINE, now=NOW).pk


def declare_rule(study) -> str:
    version = study.versions.latest("number")
    version.design = {**version.design, "stopping_rule": {"looks": 2}}
    version.save()
    return study.name


def take_judgments_away(study) -> str:
    """Make it a study that a plan can be registered for."""
    Judgment.objects.filter(rater__study=study).delete()
    return study.name


DESIGN = {"question": "How well?", "scale": ["Bad", "Good"]}
PLANNED = {**PLAN, "alpha": 0.05, "metrics": ["length"]}
ROW = {"image": "one", "candidate": "A dog.", "anchor": "A dog runs."}
JUDGED = [{"image": "one", "system": "first", "candidate": "A dog.", "value": value} for value in (1, 2)]

API = {
    "api:home GET": Access(EVERYBODY, arguments={}),
    "api:schema GET": Access(EVERYBODY, arguments={}),
    "api:metrics GET": Access(ACCOUNT, arguments={}),
    "api:metric GET": Access(ACCOUNT, arguments={"metric": "length"}),
    "api:metric_checks POST": Access(ACCOUNT, "post", {"metric": "length"}, answer=202),
    "api:refused_plugins GET": Access(ACCOUNT, arguments={}),
    "api:presets GET": Access(ACCOUNT, arguments={}),
    "api:protocols GET": Access(ACCOUNT, arguments={}),
    # Files do not come as JSON; what does come as files: `tests/studies/api/views/test_uploads.py`.
    "api:uploads POST": Access(ACCOUNT, "post", {}, answer=415),
    "api:upload_look POST": Access(ACCOUNT, "post", {}, answer=415),
    "api:upload_judgments POST": Access(ACCOUNT, "post", {}, answer=415),
    "api:upload GET": Access(ACCOUNT, "get", {"token": "x" * 22}, answer=404),
    "api:upload DELETE": Access(ACCOUNT, "delete", {"token": "x" * 22}, answer=404),
    "api:upload_make POST": Access(ACCOUNT, "post", {"token": "x" * 22}, answer=404),
    "api:imports POST": Access(ACCOUNT, "post", {}, data={"name": "more", "rows": JUDGED}, answer=201),
    "api:studies GET": Access(ACCOUNT, arguments={}),
    "api:studies POST": Access(
        ACCOUNT, "post", {}, data={"name": "brand-new", "kind": "rating", "design": DESIGN, "items": [ROW]}, answer=201
    ),
    "api:study GET": Access(VIEW_STUDY),
    "api:study PATCH": Access(CHANGE_STUDY, "patch", data={"title": "Another"}, answer=200),
    "api:clone POST": Access(CHANGE_STUDY, "post", data={"name": "again"}, answer=201),
    "api:missing GET": Access(VIEW_STUDY),
    "api:preregistrations GET": Access(VIEW_STUDY),
    "api:preregistrations POST": Access(CHANGE_STUDY, "post", {"name": take_judgments_away}, data=PLANNED, answer=201),
    "api:preregistration_file GET": Access(VIEW_STUDY, arguments={**NAME, "number": find_preregistration}),
    "api:deviations GET": Access(VIEW_STUDY),
    "api:plan POST": Access(VIEW_STUDY, "post", data={"what": "preference", "assumptions": {"share": 0.6}}, answer=200),
    "api:versions GET": Access(VIEW_STUDY),
    "api:versions POST": Access(CHANGE_STUDY, "post", data={"changes": {"raters_per_task": 3}}, answer=201),
    "api:open POST": Access(CHANGE_STUDY, "post", answer=200),
    # It is a draft, which is said by who may close it alone.
    "api:close POST": Access(CHANGE_STUDY, "post", answer=409),
    "api:archive POST": Access(MANAGE_STUDY, "post", answer=200),
    # It is not archived, and it has judgments, which is said.
    "api:restore POST": Access(MANAGE_STUDY, "post", answer=409),
    "api:study DELETE": Access(MANAGE_STUDY, "delete", answer=409),
    "api:items GET": Access(VIEW_STUDY),
    "api:item_comments GET": Access(VIEW_STUDY, arguments=ITEM),
    "api:item_comments POST": Access(VIEW_STUDY, "post", ITEM, data={"text": "A dog?"}, answer=201),
    "api:report_comments GET": Access(VIEW_STUDY, arguments=REPORT),
    "api:report_comments POST": Access(VIEW_STUDY, "post", REPORT, data={"text": "Well done."}, answer=201),
    # Of the others its author alone.
    "api:comment DELETE": Access(MANAGE_STUDY, "delete", {**NAME, "pk": find_comment}, answer=204),
    "api:raters GET": Access(VIEW_STUDY),
    "api:judgments GET": Access(VIEW_STUDY),
    "api:judgments_csv GET": Access(VIEW_STUDY),
    "api:exclusions GET": Access(VIEW_STUDY),
    "api:exclusions POST": Access(CHANGE_STUDY, "post", data={"rater": "a-rater", "reason": "fast"}, answer=201),
    "api:exclusion DELETE": Access(CHANGE_STUDY, "delete", {**NAME, "rater": leave_out}, answer=204),
    "api:members GET": Access(VIEW_STUDY),
    "api:members POST": Access(MANAGE_STUDY, "post", data={"username": "stranger", "role": "viewer"}, answer=201),
    "api:member PUT": Access(MANAGE_STUDY, "put", {**NAME, "username": "viewer"}, data={"role": "editor"}, answer=200),
    "api:member DELETE": Access(MANAGE_STUDY, "delete", {**NAME, "username": "viewer"}, answer=204),
    "api:offer GET": Access(MANAGE_STUDY, arguments={"name": offer_study}),
    "api:offer POST": Access(MANAGE_STUDY, "post", data={"username": "viewer"}, answer=201),
    "api:offer DELETE": Access(MANAGE_STUDY, "delete", {"name": offer_study}, answer=204),
    "api:notifications GET": Access(ACCOUNT, arguments={}),
    "api:notifications_read PUT": Access(ACCOUNT, "put", {}, data={"up_to": 1}, answer=200),
    "api:notification_settings GET": Access(ACCOUNT, arguments={}),
    "api:notification_settings PUT": Access(ACCOUNT, "put", {}, data={"wants_mail": False}, answer=200),
    # Webhooks are off, which is said.
    "api:notification_webhook PUT": Access(ACCOUNT, "put", {}, data={"url": "https://example.org/"}, answer=400),
    "api:notification_webhook DELETE": Access(ACCOUNT, "delete", {}, answer=204),
    "api:offers GET": Access(ACCOUNT, arguments={}),
    # There for whom it was made to alone.
    "api:offer_accept POST": Access(ACCOUNT, "post", {"pk": find_offer}, answer=404),
    "api:offer_decline POST": Access(ACCOUNT, "post", {"pk": find_offer}, answer=404),
    "api:tokens GET": Access(ANALYSE_STUDY),
    "api:tokens POST": Access(ANALYSE_STUDY, "post", data={"name": "mine", "role": "viewer"}, answer=201),
    # Of the analysts its maker alone.
    "api:token DELETE": Access(MANAGE_STUDY, "delete", {**NAME, "pk": find_token}, answer=204),
    "api:history GET": Access(VIEW_STUDY),
    "api:history_csv GET": Access(VIEW_STUDY),
    "api:study_metrics GET": Access(VIEW_STUDY),
    "api:study_metric PATCH": Access(
        ANALYSE_STUDY, "patch", {**NAME, "metric": "length"}, data={"enabled": False}, answer=200
    ),
    "api:scores GET": Access(VIEW_STUDY),
    "api:runs GET": Access(VIEW_STUDY),
    "api:runs POST": Access(ANALYSE_STUDY, "post", data={"metrics": ["length"]}, answer=202),
    "api:run GET": Access(VIEW_STUDY, arguments={**NAME, "pk": make_run}),
    "api:run_change POST": Access(ANALYSE_STUDY, "post", {**NAME, "pk": make_run, "change": "cancel"}, answer=200),
    "api:correlate POST": Access(VIEW_STUDY, "post", answer=200),
    "api:compare POST": Access(VIEW_STUDY, "post", data={"resamples": 10}, answer=200),
    "api:systems POST": Access(VIEW_STUDY, "post", {"name": judge_two_systems}, data={"resamples": 10}, answer=200),
    "api:systems_part GET": Access(VIEW_STUDY, arguments={"name": judge_two_systems, **SYSTEMS_PART}),
    "api:agreement POST": Access(VIEW_STUDY, "post", data={"resamples": 10}, answer=200),
    "api:reports GET": Access(VIEW_STUDY),
    "api:reports POST": Access(ANALYSE_STUDY, "post", answer=201),
    "api:report GET": Access(VIEW_STUDY, arguments={**NAME, "number": make_report}),
    "api:report PATCH": Access(
        MANAGE_STUDY, "patch", arguments={**NAME, "number": make_report}, data={"title": "Another"}, answer=200
    ),
    "api:report_file GET": Access(
        VIEW_STUDY, arguments={**NAME, "number": make_report, "file_format": "docx"}, answer=REPORT_IS_NO_JSON
    ),
    "api:report_part GET": Access(VIEW_STUDY, arguments={**REPORT, "part": "methods", "file_format": "txt"}),
    "api:report_bundle GET": Access(VIEW_STUDY, arguments=REPORT),
    "api:publicity GET": Access(VIEW_STUDY),
    "api:publicity PUT": Access(MANAGE_STUDY, "put", data={"is_public": True}, answer=200),
    "api:report_publicity GET": Access(VIEW_STUDY, arguments=REPORT),
    "api:report_publicity PUT": Access(MANAGE_STUDY, "put", REPORT, data={"is_public": True}, answer=200),
    "api:links GET": Access(ANALYSE_STUDY, arguments=REPORT),
    "api:links POST": Access(ANALYSE_STUDY, "post", REPORT, answer=201),
    "api:link DELETE": Access(ANALYSE_STUDY, "delete", {**REPORT, "pk": find_link}, answer=204),
    "api:report_requests GET": Access(VIEW_STUDY),
    "api:report_requests POST": Access(ANALYSE_STUDY, "post", answer=202),
    "api:report_request GET": Access(VIEW_STUDY, arguments={**NAME, "pk": ask_for_report}),
    "api:simulations GET": Access(CHANGE_STUDY),
    "api:simulations POST": Access(CHANGE_STUDY, "post", answer=202),
    "api:simulation GET": Access(CHANGE_STUDY, arguments={**NAME, "pk": make_simulation}),
    # There is nothing to make a study of.
    "api:simulation_study POST": Access(CHANGE_STUDY, "post", {**NAME, "pk": make_simulation}, answer=409),
    "api:monitoring GET": Access(VIEW_STUDY, query="?wait=1"),
    "api:stopping GET": Access(VIEW_STUDY, arguments={"name": declare_rule}),
    "api:stopping PUT": Access(CHANGE_STUDY, "put", data={"looks": 2}, answer=200),
    "api:stopping DELETE": Access(CHANGE_STUDY, "delete", arguments={"name": declare_rule}, answer=204),
    "api:looks GET": Access(VIEW_STUDY),
    # No rule was declared.
    "api:looks POST": Access(ANALYSE_STUDY, "post", answer=409),
    "api:disagreements GET": Access(VIEW_STUDY),
    "api:disagreements_csv GET": Access(VIEW_STUDY, query="?metric=length"),
    "api:image GET": Access(VIEW_STUDY, arguments={**NAME, "pk": find_image}),
    "api:explore GET": Access(VIEW_STUDY),
    "api:explore_multiverse GET": Access(VIEW_STUDY),
    "api:explore_part GET": Access(VIEW_STUDY, arguments={**NAME, "part": "table", "file_format": "csv"}),
    "api:export GET": Access(VIEW_STUDY, arguments={**NAME, "part": "scores", "file_format": "csv"}),
    "api:results GET": Access(VIEW_STUDY, arguments={**NAME, "file_format": "csv"}),
    "api:scatter GET": Access(VIEW_STUDY, arguments={**NAME, "file_format": "svg"}, query="?metric=length"),
}
"""Name of a route and a method -> its access."""

MAKERS = {"api:token DELETE": {"analyst"}, "api:comment DELETE": {"analyst"}}


def list_methods() -> Iterator[str]:
    """Yield every route of the API with each of its methods."""
    (api,) = (each for each in get_resolver().url_patterns if getattr(each, "namespace", "") == "api")
    for pattern in _walk(api.url_patterns):
        yield from (f"api:{pattern.name} {method.upper()}" for method in _find_methods(pattern))


def _walk(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for each in patterns:
        yield from _walk(each.url_patterns) if isinstance(each, URLResolver) else [each]


def _find_methods(pattern: URLPattern) -> list[str]:
    view = getattr(pattern.callback, "view_class", getattr(pattern.callback, "cls", None))
    return ["get"] if view is None else [method for method in METHODS if hasattr(view, method)]
