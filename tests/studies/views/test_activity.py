"""Tests of the page of activity and of what stands above the list of studies."""

from django.urls import reverse

from studies.access.audit import COMMAND_LINE, record_change
from studies.enums import AuditAction
from tests.factories.studies import NOW


def test_activity_of_ones_studies_is_shown_on_its_page_and_above_the_list(client, study, people):
    record_change(study, actor=COMMAND_LINE, action=AuditAction.CLOSED, now=NOW, details={"why": "<b>done</b>"})
    for name, is_seen in {"viewer": True, "owner": True, "stranger": False, "colleague": False}.items():
        client.force_login(people[name])
        page = client.get(reverse("studies:activity")).content.decode()
        assert ("Closed the study" in page, "&lt;b&gt;done&lt;/b&gt;" in page) == (is_seen, is_seen)
        assert ("Closed the study" in client.get(reverse("studies:list")).content.decode()) == is_seen


def test_what_waits_is_linked_above_the_list(client, people):
    client.force_login(people["stranger"])

    shown = client.get(reverse("studies:list")).content.decode()

    assert '<a href="/studies/elsewhere/design/">Draft: complete the design and open the study</a>' in shown
