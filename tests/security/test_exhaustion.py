"""Attack: join under many names from one address to block the slots of a study."""

import pytest

N_PLACES = 80
MAKE = """
from datetime import UTC, datetime
from studies.collection.lifecycle import open_study
from tests.factories.open_studies import make_designed_study
study = make_designed_study({name!r}, n_tasks={n_slots}, has_files=False)
open_study(study, now=datetime.now(UTC))
print(study.join_token)
"""
LOOK = """
from studies.models import AddressLease, Assignment
held = Assignment.objects.filter(study__join_token={token!r}, state="leased")
print(held.count())
print(max(((one.expires_at - one.leased_at).total_seconds() / 60 for one in held), default=0))
print(sum(hash_ in ("192.0.2.7", "") or "." in hash_ or ":" in hash_ for hash_ in
    AddressLease.objects.values_list("network_hash", flat=True)))
"""


def _make(site, name):
    (token,) = site.call(MAKE.format(name=name, n_slots=N_PLACES))
    return token


def _look(site, token):
    held, minutes, plain = site.call(LOOK.format(token=token))
    return int(held), float(minutes), int(plain)


def _take(site, token, *, address):
    """Join as somebody new and ask for a task; return the page."""
    rater = site.visit(address=address)
    rater.submit(rater.get(f"/r/{token}/").find_form(having="agrees"), follow=False, agrees="on")
    return rater.get(f"/r/{token}/task/")


@pytest.mark.parametrize("name", ["one-address", "one-network"])
def test_one_network_cannot_hold_all_places(share_site, name):
    site = share_site(ACCORDANCE_JOINS_PER_MINUTE="0")
    token = _make(site, name)
    addresses = {"one-address": "192.0.2.7", "one-network": "2001:db8:0:7::{:x}"}

    pages = [_take(site, token, address=addresses[name].format(number)) for number in range(60)]
    held, minutes, plain = _look(site, token)
    someone = _take(site, token, address="198.51.100.3")

    assert [page.status for page in pages] == [200] * 40 + [429] * 20
    assert "try again in a minute" in pages[-1].text
    assert pages[-1].headers["Retry-After"] == "30"
    assert (held, minutes, plain) == (40, 10, 0)
    assert someone.status == 200


def test_a_class_behind_one_address_can_finish(share_site):
    site = share_site(ACCORDANCE_JOINS_PER_MINUTE="0", ACCORDANCE_NEWCOMERS_PER_ADDRESS="4")
    token = _make(site, "class")
    pupils = []
    for _ in range(12):
        pupil = site.visit(address="192.0.2.9")
        pupil.submit(pupil.get(f"/r/{token}/").find_form(having="agrees"), follow=False, agrees="on")
        pupils.append(pupil)

    # Each tries once more in every round; who gets a task answers it.
    served = set()
    for _ in range(3):
        for number, pupil in enumerate(pupils):
            page = pupil.get(f"/r/{token}/task/")
            if page.status == 200:
                form = page.find_form(leading_to="/task/")
                pupil.submit(form, **{name: values[0] for name, values in form.choices.items()})
                served.add(number)

    assert served == set(range(12))


def test_a_program_that_fills_in_every_field_does_not_join(served_site):
    token = _make(served_site, "trap")
    program = served_site.visit(address="192.0.2.10")
    form = program.get(f"/r/{token}/").find_form(having="agrees")

    refused = program.submit(form, agrees="on", homepage="https://spam.example/")
    taken = program.submit(form, agrees="on")

    assert (refused.status, "only bots fill it in" in refused.text) == (422, True)
    assert (taken.status, taken.address.endswith("/instructions/")) == (200, True)


def test_the_button_that_ends_a_pause_is_no_way_to_an_uncounted_lease(share_site):
    site = share_site(ACCORDANCE_JOINS_PER_MINUTE="0", ACCORDANCE_NEWCOMERS_PER_ADDRESS="4")
    token = _make(site, "begin")

    for _ in range(6):
        rater = site.visit(address="192.0.2.11")
        rater.submit(rater.get(f"/r/{token}/").find_form(having="agrees"), follow=False, agrees="on")
        rater.post(f"/r/{token}/begin/", {})
        rater.get(f"/r/{token}/task/")
    held, minutes, _ = _look(site, token)

    assert (held, minutes) == (4, 10)
