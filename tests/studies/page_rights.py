"""All addresses of researchers' pages with the required right, one row each.

A new route needs a row here, or `test_permissions` fails; the same rows are asked for their security headers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.sharing import share_report
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.collection.shown_tasks import name_image
from studies.enums import Interface, MemberRole, PanelKind, StudyState
from studies.models import (
    ApiToken,
    Candidate,
    Comment,
    ReportLink,
    ScoringRequest,
    Simulation,
    Study,
    StudyMember,
    StudyOffer,
    System,
)
from studies.publishing.report_jobs import keep_report
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY, VIEW_STUDY
from tests.factories.studies import NOW, make_user
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import list_items

EVERYBODY, ACCOUNT, OPERATOR = "everybody", "everybody with an account", "superusers"
RIGHTS_OF_PEOPLE = {
    "owner": {VIEW_STUDY, ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY},
    "editor": {VIEW_STUDY, ANALYSE_STUDY, CHANGE_STUDY},
    "analyst": {VIEW_STUDY, ANALYSE_STUDY},
    "viewer": {VIEW_STUDY},
    "superuser": {VIEW_STUDY, ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY},
}
NAME = {"name": "study"}
SYSTEMS_PART = {"part": "table", "file_format": "csv"}


@dataclass(frozen=True)
class Access:
    """How a route is asked, and what those get whom its right lets in.

    `arguments` and `data` may hold functions of the study, for keys that are known only when it is made.
    """

    right: str
    method: str = "get"
    arguments: Mapping[str, Any] = field(default_factory=lambda: NAME)
    query: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    answer: int | None = None

    @property
    def welcome(self) -> int:
        return self.answer or (200 if self.method == "get" else 302)


def find_image_name(study):
    return name_image(find_image(study), seed=study.seed, rater=None)


def find_image(study: Study) -> int:
    return list_items(study)[0].image_id


def judge_two_systems(study: Study) -> str:
    """Move a judged caption to the dataset's second system, and return the name of the study."""
    item = list_items(study)[0]
    other = System.objects.filter(dataset=study.dataset).exclude(pk=item.candidate.system_id).first()
    Candidate.objects.filter(pk=item.candidate_id).update(system=other)
    return study.name


def find_member(study: Study) -> int:
    return StudyMember.objects.get(study=study, user__username="viewer").pk


def find_token(study: Study) -> int:
    """Make a token of the analyst, which nobody but its maker and the owner may revoke."""
    analyst = StudyMember.objects.get(study=study, user__username="analyst").user
    times = {"made_at": NOW, "expires_at": NOW}
    given = {"role": MemberRole.ANALYST, "name": "of the analyst", "made_by": analyst, **times}
    return ApiToken.objects.get_or_create(study=study, digest="0" * 64, hint="0000", defaults=given)[0].pk


def offer_study(study: Study) -> str:
    """Offer the study to somebody who has nothing to do with it."""
    find_offer(study)
    return study.name


def find_offer(study: Study) -> int:
    end = timezone.now() + timedelta(days=1)
    asked = User.objects.filter(username="asked").first() or make_user("asked")
    given = {"offered_to": asked, "offered_by": study.owner, "offered_at": NOW, "expires_at": end}
    return StudyOffer.objects.get_or_create(study=study, defaults=given)[0].pk


def find_task(study: Study) -> int:
    return list_items(study)[0].task_id


def find_item(study: Study) -> int:
    return list_items(study)[0].pk


def find_comment(study: Study) -> int:
    """Make a comment of the analyst, which nobody but its author and the owner may delete."""
    analyst = StudyMember.objects.get(study=study, user__username="analyst").user
    given = {"text": "Of the analyst.", "made_at": NOW}
    return Comment.objects.get_or_create(study=study, item=list_items(study)[0], author=analyst, defaults=given)[0].pk


def find_preregistration(study: Study) -> int:
    return make_preregistration(study).number


def make_simulation(study: Study) -> int:
    given = {"panel": PanelKind.LINK, "n_raters": 1, "made_at": NOW}
    return Simulation.objects.get_or_create(study=study, defaults=given)[0].pk


def make_report(study: Study) -> int:
    """Freeze a report if there is none, with all that its pages show and its bundle needs."""
    if not study.reports.exists():
        gathered = gather_observations(study)
        keep_report(gathered, report_observations(gathered), now=NOW)
    return 1


def make_run(study: Study) -> int:
    return ScoringRequest.objects.get_or_create(study=study, defaults={"requested_at": NOW})[0].pk


def make_public(study: Study) -> str:
    Study.objects.filter(pk=study.pk).update(is_public=True, state=StudyState.CLOSED, started_at=NOW)
    return study.name


def make_public_report(study: Study) -> int:
    make_report(study)
    study.reports.update(is_public=True)
    return 1


def make_link(study: Study) -> str:
    """Return a new token that leads to the study's report."""
    make_report(study)
    actor = Actor(user=study.owner, interface=Interface.PAGE)
    return share_report(study.reports.get(), actor=actor, now=timezone.now()).token


def find_link(study: Study) -> int:
    make_link(study)
    return ReportLink.objects.latest("pk").pk


REPORT = {**NAME, "number": make_report}
PUBLIC_REPORT = {"name": make_public, "number": make_public_report}
UPLOAD = {"token": "x" * 22}
TOKEN = {"join_token": lambda study: study.join_token}
PAY = {
    "pay-currency": "GBP",
    "pay-reward": "1",
    "pay-hourly_wage": "12",
    "pay-budget": "0",
    "pay-fee_share": "0.33",
}
PLAN = {
    "protocol": "flickr8k-expert@1",
    "coefficient": "kendall-c",
    "metrics": "length",
    "test": "perm-both",
    "alpha": "0.05",
    "correction": "holm",
    "stopping_rule": "When all is done.",
}
PAGES = {
    "account_login": Access(EVERYBODY, arguments={}),
    "account_logout": Access(EVERYBODY, "post", arguments={}),
    "account_signup": Access(EVERYBODY, arguments={}, answer=404),
    "account": Access(ACCOUNT, arguments={}),
    # Without a form that was kept there is nothing to show.
    "account_send_again": Access(ACCOUNT, arguments={}, answer=302),
    "account_notifications": Access(ACCOUNT, arguments={}),
    "account_notifications_mail": Access(ACCOUNT, "post", arguments={}, data={"wants": "yes"}),
    # Webhooks are off, which is said.
    "account_webhook_save": Access(ACCOUNT, "post", arguments={}, data={"url": "https://example.org/"}, answer=422),
    "account_webhook_remove": Access(ACCOUNT, "post", arguments={}),
    "account_change_password": Access(ACCOUNT, arguments={}),
    "account_inactive": Access(EVERYBODY, arguments={}),
    "account_reauthenticate": Access(ACCOUNT, arguments={}),
    "account_set_password": Access(ACCOUNT, arguments={}, answer=302),
    "usersessions_list": Access(ACCOUNT, arguments={}),
    # Where no mail is sent none of these is there: `tests/studies/views/access/test_account.py`.
    "account_email": Access(EVERYBODY, arguments={}, answer=404),
    "account_email_verification_sent": Access(EVERYBODY, arguments={}, answer=404),
    "account_confirm_email": Access(EVERYBODY, arguments={"key": "x"}, answer=404),
    "account_reset_password": Access(EVERYBODY, arguments={}, answer=404),
    "account_reset_password_done": Access(EVERYBODY, arguments={}, answer=404),
    "account_reset_password_from_key_done": Access(EVERYBODY, arguments={}, answer=404),
    "account_reset_password_from_key": Access(EVERYBODY, arguments={"uidb36": "1", "key": "x"}, answer=404),
    "mfa_index": Access(ACCOUNT, arguments={}),
    # Who has not begun to log in is sent to do so.
    "mfa_authenticate": Access(EVERYBODY, arguments={}, answer=302),
    "mfa_reauthenticate": Access(ACCOUNT, arguments={}, answer=302),
    # These ask for the password first.
    "mfa_activate_totp": Access(ACCOUNT, arguments={}, answer=302),
    "mfa_deactivate_totp": Access(ACCOUNT, arguments={}, answer=404),
    "mfa_view_recovery_codes": Access(ACCOUNT, arguments={}, answer=404),
    "mfa_generate_recovery_codes": Access(ACCOUNT, arguments={}, answer=302),
    "mfa_download_recovery_codes": Access(ACCOUNT, arguments={}, answer=404),
    "api": Access(EVERYBODY, arguments={}, answer=302),
    "studies:front": Access(EVERYBODY, arguments={}),
    # Visitors see public studies there.
    "studies:list": Access(EVERYBODY, arguments={}),
    "studies:public_list": Access(EVERYBODY, arguments={}),
    "studies:public": Access(EVERYBODY, arguments={"name": make_public}),
    "studies:public_report": Access(EVERYBODY, arguments=PUBLIC_REPORT),
    "studies:public_report_part": Access(EVERYBODY, arguments={**PUBLIC_REPORT, "part": "table", "file_format": "md"}),
    "studies:publish": Access(MANAGE_STUDY, "post", data={"public": "yes"}),
    "studies:report_publish": Access(MANAGE_STUDY, "post", arguments=REPORT, data={"public": "yes"}),
    "studies:docs": Access(EVERYBODY, arguments={}),
    "studies:docs_page": Access(EVERYBODY, arguments={"page": "statistics"}),
    "studies:docs_picture": Access(EVERYBODY, arguments={"folder": "images", "name": "design-item-light-390.png"}),
    "studies:search": Access(EVERYBODY, arguments={}, query="?q=study&study=study"),
    "studies:search_results": Access(EVERYBODY, arguments={}, query="?q=study&study=study"),
    "studies:activity": Access(ACCOUNT, arguments={}),
    "studies:activity_read": Access(ACCOUNT, "post", arguments={}, data={"up_to": "1"}),
    "studies:metrics": Access(ACCOUNT, arguments={}),
    "studies:matrix": Access(ACCOUNT, arguments={}),
    "studies:matrix_file": Access(ACCOUNT, arguments={"file_format": "json"}),
    "studies:metric": Access(ACCOUNT, arguments={"metric": "length"}),
    "studies:metric_check": Access(ACCOUNT, "post", {"metric": "length"}),
    "studies:new": Access(ACCOUNT, arguments={}),
    # An upload is there for who sent it alone: `tests/studies/views/datasets/test_new_study.py`.
    "studies:upload": Access(ACCOUNT, arguments=UPLOAD, answer=404),
    "studies:make": Access(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    "studies:discard": Access(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    "studies:import_new": Access(ACCOUNT, arguments={}),
    "studies:import": Access(ACCOUNT, arguments=UPLOAD, answer=404),
    "studies:import_discard": Access(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    # A job is there for its account alone: `tests/jobs/test_views.py`.
    "jobs:job": Access(ACCOUNT, arguments=UPLOAD, answer=404),
    "jobs:cancel": Access(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    "studies:study": Access(VIEW_STUDY),
    "studies:perturbed_checks": Access(MANAGE_STUDY),
    "studies:study_progress": Access(VIEW_STUDY),
    "studies:design": Access(VIEW_STUDY, answer=302),
    "studies:step": Access(VIEW_STUDY, arguments={**NAME, "step": "raters"}),
    "studies:step_typed": Access(CHANGE_STUDY, "post", {**NAME, "step": "raters"}, data=PAY, answer=200),
    "studies:step_discard": Access(CHANGE_STUDY, "post", {**NAME, "step": "raters"}),
    "studies:step_preset": Access(CHANGE_STUDY, "post", {**NAME, "step": "question"}, data={"preset": "coco-m3"}),
    "studies:planner": Access(VIEW_STUDY),
    "studies:preregistration": Access(VIEW_STUDY),
    "studies:preregister": Access(CHANGE_STUDY, "post", data=PLAN),
    "studies:preregistration_file": Access(VIEW_STUDY, arguments={**NAME, "number": find_preregistration}),
    "studies:clone": Access(CHANGE_STUDY),
    "studies:simulation": Access(CHANGE_STUDY),
    "studies:simulation_progress": Access(CHANGE_STUDY),
    # There is nothing to make a study of, which is said.
    "studies:simulation_try": Access(CHANGE_STUDY, "post", {**NAME, "pk": make_simulation}),
    "preview:join": Access(VIEW_STUDY, arguments=TOKEN),
    "preview:decline": Access(VIEW_STUDY, "post", arguments=TOKEN, answer=200),
    "preview:instructions": Access(VIEW_STUDY, arguments=TOKEN),
    "preview:task": Access(VIEW_STUDY, arguments=TOKEN),
    "preview:submit": Access(VIEW_STUDY, "post", {**TOKEN, "pk": find_task}, answer=422),
    "preview:return": Access(VIEW_STUDY, "post", {**TOKEN, "pk": find_task}, answer=200),
    "preview:image": Access(VIEW_STUDY, arguments={**TOKEN, "name": find_image_name}),
    "preview:thanks": Access(VIEW_STUDY, arguments=TOKEN),
    "preview:leave": Access(VIEW_STUDY, arguments=TOKEN, answer=302),
    "studies:open": Access(CHANGE_STUDY, "post"),
    "studies:removal": Access(MANAGE_STUDY),
    "studies:archive": Access(MANAGE_STUDY, "post"),
    # It is not archived, and it has judgments, which is said.
    "studies:restore": Access(MANAGE_STUDY, "post", answer=422),
    "studies:delete": Access(MANAGE_STUDY, "post", data={"confirmation": "study"}, answer=422),
    "studies:close": Access(CHANGE_STUDY, "post"),
    "studies:judgments": Access(VIEW_STUDY),
    "studies:results": Access(VIEW_STUDY, arguments={**NAME, "file_format": "csv"}),
    "studies:forest": Access(VIEW_STUDY, arguments={**NAME, "file_format": "svg"}),
    "studies:plot_forest": Access(VIEW_STUDY),
    "studies:plot_scatter": Access(VIEW_STUDY, query="?metric=length"),
    "studies:plot_items": Access(VIEW_STUDY, query="?item=1"),
    "studies:scatter": Access(VIEW_STUDY, arguments={**NAME, "file_format": "csv"}, query="?metric=length"),
    "studies:monitoring": Access(VIEW_STUDY, query="?wait=1"),
    "studies:monitoring_now": Access(VIEW_STUDY),
    "studies:interim_look": Access(ANALYSE_STUDY, "post"),
    # The design names the panel `link`, and no pay.
    "recruiting:raters": Access(CHANGE_STUDY),
    "recruiting:links": Access(CHANGE_STUDY, "post", data={"people": "ann"}, answer=422),
    # The study of these tests has another panel and no https.
    "recruiting:question": Access(MANAGE_STUDY, "post", answer=422),
    "recruiting:batch": Access(MANAGE_STUDY, "post", answer=200),
    "recruiting:results": Access(MANAGE_STUDY, "post", answer=422),
    "recruiting:keys": Access(MANAGE_STUDY, "post", answer=404),
    "recruiting:resume": Access(MANAGE_STUDY, "post", data={"participant": "ann"}, answer=422),
    "studies:payments": Access(MANAGE_STUDY),
    "studies:payments_decide": Access(MANAGE_STUDY, "post"),
    "studies:payments_payees": Access(MANAGE_STUDY, "post", answer=200),
    "studies:payments_claim": Access(MANAGE_STUDY, "post", data={"receipt": "none"}),
    "studies:submissions": Access(MANAGE_STUDY),
    "studies:submissions_file": Access(MANAGE_STUDY, "post", answer=200),
    "studies:systems": Access(VIEW_STUDY),
    "studies:systems_part": Access(VIEW_STUDY, arguments={"name": judge_two_systems, **SYSTEMS_PART}),
    "studies:disagreements": Access(VIEW_STUDY),
    "studies:disagreements_csv": Access(VIEW_STUDY, query="?metric=length"),
    "studies:explore": Access(VIEW_STUDY, query="?multiverse=on"),
    "studies:explore_intervals": Access(VIEW_STUDY, query=""),
    # Nothing new: the ranks wait for a worker.
    "studies:explore_ranks": Access(VIEW_STUDY, answer=204),
    "studies:explore_part": Access(VIEW_STUDY, arguments={**NAME, "part": "table", "file_format": "csv"}),
    "studies:item": Access(VIEW_STUDY, arguments={**NAME, "pk": find_item}),
    "studies:item_comment": Access(VIEW_STUDY, "post", {**NAME, "pk": find_item}, data={"text": "Is that a dog?"}),
    "studies:report_comment": Access(VIEW_STUDY, "post", REPORT, data={"text": "Well done."}),
    # Of the others its author alone: `test_comments_of_others_are_deleted_by_the_owner_alone`.
    "studies:comment_delete": Access(MANAGE_STUDY, "post", {**NAME, "pk": find_comment}),
    "studies:runs": Access(VIEW_STUDY),
    "studies:run_start": Access(ANALYSE_STUDY, "post", data={"metrics": "length"}),
    "studies:run": Access(VIEW_STUDY, arguments={**NAME, "pk": make_run}),
    "studies:run_progress": Access(VIEW_STUDY, arguments={**NAME, "pk": make_run}),
    "studies:run_change": Access(ANALYSE_STUDY, "post", {**NAME, "pk": make_run, "change": "pause"}),
    "studies:run_parameters": Access(ANALYSE_STUDY, arguments={**NAME, "metric": "length"}),
    "studies:metric_switch": Access(ANALYSE_STUDY, "post", {**NAME, "metric": "length"}, data={"enabled": "off"}),
    "studies:dataset": Access(VIEW_STUDY),
    # The images have no files of objects, which is said.
    "studies:dataset_caption": Access(
        CHANGE_STUDY, "post", data={"captioner": "object-template", "system": "x", "decoding": "greedy"}, answer=422
    ),
    # Nobody wrote captions in it.
    "studies:dataset_collect": Access(CHANGE_STUDY, "post", data={"system": "people"}, answer=422),
    "studies:thumbnail": Access(VIEW_STUDY, arguments={**NAME, "pk": find_image}),
    "studies:export": Access(VIEW_STUDY, arguments={**NAME, "part": "scores", "file_format": "csv"}),
    "studies:reports": Access(VIEW_STUDY),
    "studies:report_freeze": Access(ANALYSE_STUDY, "post", data={"correction": "holm", "seed": "1"}),
    "studies:report": Access(VIEW_STUDY, arguments=REPORT),
    "studies:report_part": Access(VIEW_STUDY, arguments={**REPORT, "part": "table", "file_format": "md"}),
    "studies:report_bundle": Access(VIEW_STUDY, arguments=REPORT),
    "studies:report_share": Access(ANALYSE_STUDY, "post", arguments=REPORT, answer=201),
    "studies:report_title": Access(MANAGE_STUDY, "post", arguments=REPORT, data={"title": "A title"}),
    "studies:report_unshare": Access(ANALYSE_STUDY, "post", arguments={**REPORT, "pk": find_link}),
    "studies:shared": Access(EVERYBODY, arguments={"token": make_link}),
    "studies:shared_part": Access(EVERYBODY, arguments={"token": make_link, "part": "table", "file_format": "md"}),
    "studies:people": Access(VIEW_STUDY),
    "studies:member_add": Access(MANAGE_STUDY, "post", data={"username": "stranger", "role": "viewer"}),
    "studies:member_role": Access(MANAGE_STUDY, "post", {**NAME, "pk": find_member}, data={"role": "analyst"}),
    "studies:member_remove": Access(MANAGE_STUDY, "post", {**NAME, "pk": find_member}),
    "studies:give": Access(MANAGE_STUDY, "post", data={"username": "viewer"}),
    "studies:offer_withdraw": Access(MANAGE_STUDY, "post", {"name": offer_study}),
    "studies:offers": Access(ACCOUNT, arguments={}),
    "studies:requests": Access(OPERATOR, arguments={}),
    "studies:requests_find": Access(OPERATOR, "post", {}, answer=422),
    "studies:requests_export": Access(OPERATOR, "post", {}, answer=422),
    "studies:requests_erase": Access(OPERATOR, "post", {}, answer=422),
    # An offer is there for whom it was made to alone: `tests/studies/views/access/test_offers.py`.
    "studies:offer_accept": Access(ACCOUNT, "post", {"pk": find_offer}, answer=404),
    "studies:offer_decline": Access(ACCOUNT, "post", {"pk": find_offer}, answer=404),
    "studies:token_make": Access(ANALYSE_STUDY, "post", data={"name": "mine", "role": "viewer"}, answer=201),
    # Of the analysts its maker alone: `test_tokens_of_others_are_revoked_by_the_owner_alone`.
    "studies:token_revoke": Access(MANAGE_STUDY, "post", {**NAME, "pk": find_token}),
    "studies:history": Access(VIEW_STUDY),
    "studies:history_csv": Access(VIEW_STUDY),
}
"""Name of a route -> its access."""

APART = ("admin", "annotation_ui", "challenges", "challenges-api")
"""Namespaces whose routes have one rule for all, tested apart."""

MORE_MAKERS = {"studies:token_revoke": {"analyst"}, "studies:comment_delete": {"analyst"}}
"""Routes that let in somebody beside those with the right: who made the thing."""


def list_routes() -> Iterator[str]:
    """Yield the name of every route outside of `APART`, with its namespace; an unnamed one as its pattern."""
    yield from _walk(get_resolver().url_patterns, prefix="", namespaces=())


def _walk(patterns: list[URLPattern | URLResolver], *, prefix: str, namespaces: tuple[str, ...]) -> Iterator[str]:
    for each in patterns:
        where = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            inner = (*namespaces, each.namespace) if each.namespace else namespaces
            if not inner or inner[0] not in APART:
                yield from _walk(each.url_patterns, prefix=where, namespaces=inner)
        else:
            yield ":".join((*namespaces, each.name)) if each.name else where


def fill(given: Mapping[str, Any], study: Study) -> dict[str, Any]:
    return {name: value(study) if callable(value) else value for name, value in given.items()}


def make_address(name: str, access: Access, study: Study) -> str:
    return reverse(name, kwargs=fill(access.arguments, study)) + access.query
