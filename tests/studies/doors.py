"""Every address of researchers' pages and of the API, and which right opens it: one row each.

A new route needs a row here, or `test_permissions` fails; the same rows are asked for their security headers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from studies.access.auditing import Actor
from studies.access.sharing import share_report
from studies.analysis.analysis import gather_observations
from studies.analysis.reporting import report_observations
from studies.collection.shown_tasks import name_image
from studies.enums import Door as Through
from studies.enums import MemberRole, PanelKind
from studies.models import ApiToken, Rehearsal, ReportLink, ScoringRequest, Study, StudyMember, StudyOffer
from studies.publishing.requesting import keep_report
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY, VIEW_STUDY
from tests.factories.studies import NOW, make_user
from tests.studies.registered import make_registration
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


@dataclass(frozen=True)
class Door:
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


def find_registration(study: Study) -> int:
    return make_registration(study).number


def make_rehearsal(study: Study) -> int:
    given = {"panel": PanelKind.LINK, "n_raters": 1, "speed": 1.0, "made_at": NOW}
    return Rehearsal.objects.get_or_create(study=study, defaults=given)[0].pk


def make_report(study: Study) -> int:
    """Freeze a report if there is none, with all that its pages show and its bundle needs."""
    if not study.reports.exists():
        gathered = gather_observations(study)
        keep_report(gathered, report_observations(gathered), now=NOW)
    return 1


def make_run(study: Study) -> int:
    return ScoringRequest.objects.get_or_create(study=study, defaults={"requested_at": NOW})[0].pk


def make_link(study: Study) -> str:
    """Return a new token that leads to the study's report."""
    make_report(study)
    actor = Actor(user=study.owner, door=Through.PAGE)
    return share_report(study.reports.get(), actor=actor, now=timezone.now()).token


def find_link(study: Study) -> int:
    make_link(study)
    return ReportLink.objects.latest("pk").pk


REPORT = {**NAME, "number": make_report}
UPLOAD = {"token": "x" * 22}
TOKEN = {"join_token": lambda study: study.join_token}
PAY = {"currency": "GBP", "reward": "1", "hourly_wage": "12", "budget": "0", "fee_share": "0.33"}
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
    "account_login": Door(EVERYBODY, arguments={}),
    "account_logout": Door(EVERYBODY, "post", arguments={}),
    "account_signup": Door(EVERYBODY, arguments={}, answer=404),
    "account": Door(ACCOUNT, arguments={}),
    "account_change_password": Door(ACCOUNT, arguments={}),
    "account_inactive": Door(EVERYBODY, arguments={}),
    "account_reauthenticate": Door(ACCOUNT, arguments={}),
    "account_set_password": Door(ACCOUNT, arguments={}, answer=302),
    "usersessions_list": Door(ACCOUNT, arguments={}),
    # Where no mail is sent none of these is there: `tests/studies/views/test_account.py`.
    "account_email": Door(EVERYBODY, arguments={}, answer=404),
    "account_email_verification_sent": Door(EVERYBODY, arguments={}, answer=404),
    "account_confirm_email": Door(EVERYBODY, arguments={"key": "x"}, answer=404),
    "account_reset_password": Door(EVERYBODY, arguments={}, answer=404),
    "account_reset_password_done": Door(EVERYBODY, arguments={}, answer=404),
    "account_reset_password_from_key_done": Door(EVERYBODY, arguments={}, answer=404),
    "account_reset_password_from_key": Door(EVERYBODY, arguments={"uidb36": "1", "key": "x"}, answer=404),
    "mfa_index": Door(ACCOUNT, arguments={}),
    # Who has not begun to log in is sent to do so.
    "mfa_authenticate": Door(EVERYBODY, arguments={}, answer=302),
    "mfa_reauthenticate": Door(ACCOUNT, arguments={}, answer=302),
    # These ask for the password first.
    "mfa_activate_totp": Door(ACCOUNT, arguments={}, answer=302),
    "mfa_deactivate_totp": Door(ACCOUNT, arguments={}, answer=404),
    "mfa_view_recovery_codes": Door(ACCOUNT, arguments={}, answer=404),
    "mfa_generate_recovery_codes": Door(ACCOUNT, arguments={}, answer=302),
    "mfa_download_recovery_codes": Door(ACCOUNT, arguments={}, answer=404),
    "studies:list": Door(ACCOUNT, arguments={}),
    "studies:metrics": Door(ACCOUNT, arguments={}),
    "studies:metric": Door(ACCOUNT, arguments={"metric": "length"}),
    "studies:metric_check": Door(ACCOUNT, "post", {"metric": "length"}),
    "studies:new": Door(ACCOUNT, arguments={}),
    # An upload is there for who sent it alone: `tests/studies/views/test_new_study.py`.
    "studies:upload": Door(ACCOUNT, arguments=UPLOAD, answer=404),
    "studies:make": Door(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    "studies:forget": Door(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    # A job is there for its account alone: `tests/jobs/test_views.py`.
    "jobs:job": Door(ACCOUNT, arguments=UPLOAD, answer=404),
    "jobs:cancel": Door(ACCOUNT, "post", arguments=UPLOAD, answer=404),
    "studies:study": Door(VIEW_STUDY),
    "studies:design": Door(VIEW_STUDY),
    "studies:design_section": Door(CHANGE_STUDY, "post", {**NAME, "section": "pay"}, data=PAY),
    "studies:planner": Door(VIEW_STUDY),
    "studies:registration": Door(VIEW_STUDY),
    "studies:register": Door(CHANGE_STUDY, "post", data=PLAN),
    "studies:registration_file": Door(VIEW_STUDY, arguments={**NAME, "number": find_registration}),
    "studies:clone": Door(CHANGE_STUDY),
    "rehearsal:show": Door(CHANGE_STUDY),
    "rehearsal:progress": Door(CHANGE_STUDY),
    # There is nothing to make a study of, which is said.
    "rehearsal:try": Door(CHANGE_STUDY, "post", {**NAME, "pk": make_rehearsal}),
    "preview:join": Door(VIEW_STUDY, arguments=TOKEN),
    "preview:decline": Door(VIEW_STUDY, "post", arguments=TOKEN, answer=200),
    "preview:instructions": Door(VIEW_STUDY, arguments=TOKEN),
    "preview:task": Door(VIEW_STUDY, arguments=TOKEN),
    "preview:submit": Door(VIEW_STUDY, "post", {**TOKEN, "pk": find_task}, answer=422),
    "preview:return": Door(VIEW_STUDY, "post", {**TOKEN, "pk": find_task}, answer=200),
    "preview:image": Door(VIEW_STUDY, arguments={**TOKEN, "name": find_image_name}),
    "preview:thanks": Door(VIEW_STUDY, arguments=TOKEN),
    "preview:leave": Door(VIEW_STUDY, arguments=TOKEN, answer=302),
    "studies:open": Door(CHANGE_STUDY, "post"),
    "studies:close": Door(CHANGE_STUDY, "post"),
    "studies:judgments": Door(VIEW_STUDY),
    "studies:results": Door(VIEW_STUDY, arguments={**NAME, "file_format": "csv"}),
    "studies:scatter": Door(VIEW_STUDY, arguments={**NAME, "file_format": "csv"}, query="?metric=length"),
    "studies:desk": Door(VIEW_STUDY, query="?wait=1"),
    "studies:desk_now": Door(VIEW_STUDY),
    "studies:desk_look": Door(ANALYSE_STUDY, "post"),
    "studies:disagreements": Door(VIEW_STUDY),
    "studies:disagreements_csv": Door(VIEW_STUDY, query="?metric=length"),
    "studies:explore": Door(VIEW_STUDY, query="?intervals=on&multiverse=on"),
    "studies:explore_intervals": Door(VIEW_STUDY, query="?intervals=on"),
    # Nothing new: the ranks wait for a worker.
    "studies:explore_ranks": Door(VIEW_STUDY, answer=204),
    "studies:explore_part": Door(VIEW_STUDY, arguments={**NAME, "part": "table", "file_format": "csv"}),
    "studies:runs": Door(VIEW_STUDY),
    "studies:run_start": Door(ANALYSE_STUDY, "post", data={"metrics": "length"}),
    "studies:run": Door(VIEW_STUDY, arguments={**NAME, "pk": make_run}),
    "studies:run_progress": Door(VIEW_STUDY, arguments={**NAME, "pk": make_run}),
    "studies:run_change": Door(ANALYSE_STUDY, "post", {**NAME, "pk": make_run, "change": "pause"}),
    "studies:run_parameters": Door(ANALYSE_STUDY, arguments={**NAME, "metric": "length"}),
    "studies:metric_switch": Door(ANALYSE_STUDY, "post", {**NAME, "metric": "length"}, data={"enabled": "off"}),
    "studies:thumbnail": Door(VIEW_STUDY, arguments={**NAME, "pk": find_image}),
    "studies:export": Door(VIEW_STUDY, arguments={**NAME, "part": "scores", "file_format": "csv"}),
    "studies:reports": Door(VIEW_STUDY),
    "studies:report_freeze": Door(ANALYSE_STUDY, "post", data={"correction": "holm", "seed": "1"}),
    "studies:report": Door(VIEW_STUDY, arguments=REPORT),
    "studies:report_part": Door(VIEW_STUDY, arguments={**REPORT, "part": "table", "file_format": "md"}),
    "studies:report_bundle": Door(VIEW_STUDY, arguments=REPORT),
    "studies:report_share": Door(ANALYSE_STUDY, "post", arguments=REPORT, answer=201),
    "studies:report_unshare": Door(ANALYSE_STUDY, "post", arguments={**REPORT, "pk": find_link}),
    "studies:shared": Door(EVERYBODY, arguments={"token": make_link}),
    "studies:shared_part": Door(EVERYBODY, arguments={"token": make_link, "part": "table", "file_format": "md"}),
    "studies:people": Door(VIEW_STUDY),
    "studies:member_add": Door(MANAGE_STUDY, "post", data={"username": "stranger", "role": "viewer"}),
    "studies:member_role": Door(MANAGE_STUDY, "post", {**NAME, "pk": find_member}, data={"role": "analyst"}),
    "studies:member_remove": Door(MANAGE_STUDY, "post", {**NAME, "pk": find_member}),
    "studies:give": Door(MANAGE_STUDY, "post", data={"username": "viewer"}),
    "studies:offer_withdraw": Door(MANAGE_STUDY, "post", {"name": offer_study}),
    "studies:offers": Door(ACCOUNT, arguments={}),
    "studies:requests": Door(OPERATOR, arguments={}),
    "studies:requests_find": Door(OPERATOR, "post", {}, answer=422),
    "studies:requests_export": Door(OPERATOR, "post", {}, answer=422),
    "studies:requests_erase": Door(OPERATOR, "post", {}, answer=422),
    # An offer is there for whom it was made to alone: `tests/studies/views/test_offers.py`.
    "studies:offer_accept": Door(ACCOUNT, "post", {"pk": find_offer}, answer=404),
    "studies:offer_decline": Door(ACCOUNT, "post", {"pk": find_offer}, answer=404),
    "studies:token_make": Door(ANALYSE_STUDY, "post", data={"name": "mine", "role": "viewer"}, answer=201),
    # Of the analysts its maker alone: `test_tokens_of_others_are_revoked_by_the_owner_alone`.
    "studies:token_revoke": Door(MANAGE_STUDY, "post", {**NAME, "pk": find_token}),
    "studies:history": Door(VIEW_STUDY),
    "studies:history_csv": Door(VIEW_STUDY),
}
"""Name of a route -> its door."""

APART = ("admin", "annotation_ui")
"""Namespaces whose routes have one rule for all, tested apart."""

MORE_MAKERS = {"studies:token_revoke": {"analyst"}}
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


def make_address(name: str, door: Door, study: Study) -> str:
    return reverse(name, kwargs=fill(door.arguments, study)) + door.query
