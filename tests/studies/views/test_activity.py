"""Tests of the page of activity and of what stands above the list of studies."""

from django.urls import reverse

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.enums import AuditAction, Interface
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


def _record(study, *, user=None, action=AuditAction.CLOSED):
    return record_change(study, actor=Actor(user, Interface.PAGE), action=action, now=NOW)


def _show(client, address="studies:activity"):
    return client.get(reverse(address)).content.decode()


def test_what_others_did_is_new_until_it_is_marked_as_read(client, study, people):
    _record(study, action=AuditAction.OPENED)
    last = _record(study)
    _record(study, user=people["owner"], action=AuditAction.EXPORTED)
    client.force_login(people["owner"])
    before, above_list = _show(client), _show(client, "studies:list")

    client.post(reverse("studies:activity_read"), {"up_to": last.pk})
    _record(study, action=AuditAction.FILLED)
    after = _show(client)

    assert (before.count(">New</span>"), "<b>2</b> new" in before) == (2, True)
    assert (above_list.count(">New</span>"), "All activity (2 new)" in above_list) == (2, True)
    assert (after.count(">New</span>"), "<b>1</b> new" in after) == (1, True)
    # What another member has read is a matter of that member.
    client.force_login(people["viewer"])
    assert _show(client).count(">New</span>") == 4


def test_a_page_that_was_loaded_before_does_not_make_read_changes_new_again(client, study, people):
    first, last = _record(study), _record(study)
    client.force_login(people["owner"])

    for entry in (last, first):
        client.post(reverse("studies:activity_read"), {"up_to": entry.pk})

    assert _show(client).count(">New</span>") == 0


def test_nothing_new_has_no_button(client, study, people):
    _record(study, user=people["owner"])
    client.force_login(people["owner"])

    assert "Mark all as read" not in _show(client)


def test_new_changes_are_counted_up_to_a_hundred(client, study, people):
    for _ in range(101):
        _record(study)
    client.force_login(people["owner"])

    assert "<b>99+</b> new" in _show(client)


def test_nothing_is_marked_by_what_is_no_number(client, study, people):
    _record(study)
    client.force_login(people["owner"])

    shown = client.post(reverse("studies:activity_read"), {"up_to": "all"}, follow=True).content.decode()

    assert "Nothing was marked as read: load the page again." in shown
    assert "<b>1</b> new" in shown
