"""Attack: become another rater by knowing or guessing the panel's id in the address."""

import pytest

from tests.security.raters import PanelRater, make_prolific

MAKE = """
from studies.design.study_design import Panel, Pay
from tests.factories.open_studies import make_open_study
panel = Panel(kind="prolific", codes={{"finished": "DONE1", "left": "LEFT1", "withdrawn": "GONE1"}})
pay = Pay(reward=1.0, hourly_wage=600.0)
print(make_open_study({name!r}, n_tasks=3, panel=panel, pay=pay).join_token)
"""
EVENTS = """
from studies.models import RaterEvent
for kind in RaterEvent.objects.filter(study__name={name!r}).order_by("pk").values_list("kind", flat=True):
    print(kind)
"""
COUNT = """
from studies.models import Judgment, Rater, Withdrawal
print([model.objects.filter(study__name={name!r}).count() for model in (Rater, Withdrawal)])
print(Judgment.objects.filter(rater__study__name={name!r}).count())
"""
PAGES = ("task", "last", "thanks", "leave", "pause", "break", "instructions", "qualification")
VICTIM = make_prolific("5f", session="s1")


@pytest.fixture
def begun(served_site, request):
    """A study in which somebody has answered a task; its name, its token, and that person."""
    name = request.node.name.replace("_", "-")[:50]
    (token,) = served_site.call(MAKE.format(name=name))
    victim = PanelRater(served_site, token)
    victim.join(VICTIM)
    victim.answer(victim.open("task"))
    return name, token, victim


@pytest.mark.parametrize("session", ["s1", "s2"])
def test_a_known_id_opens_nothing(served_site, begun, session):
    name, token, victim = begun
    thief = PanelRater(served_site, token)

    arrived = thief.arrive(make_prolific("5f", session=session))

    assert arrived.status == 403
    assert "started in another browser" in arrived.text
    assert not [cookie.name for cookie in thief.client.session.cookies if cookie.name.startswith("rater-")]
    # Every page leads back to the interface, which is closed.
    assert {thief.open(page).status for page in PAGES} == {403}
    assert served_site.call(EVENTS.format(name=name)) == ["arrival_refused"]
    assert "Task 2 of 3" in victim.open("task").text


def test_a_consent_fetched_early_and_sent_late_opens_nothing(served_site):
    (token,) = served_site.call(MAKE.format(name="early"))
    thief, victim = PanelRater(served_site, token), PanelRater(served_site, token)
    form = thief.arrive(VICTIM).find_form(having="agrees")
    victim.join(VICTIM)

    sent = thief.client.submit(form, agrees="on")

    assert sent.status == 403
    assert thief.open("task").status == 403


def test_a_browser_that_was_left_open_gives_away_neither_the_answers_nor_the_receipt(served_site, begun):
    name, _, victim = begun
    form = victim.open("leave").find_form(having="answers")

    for proof in ("", "6a" * 12):
        refused = victim.client.submit(form, answers="erase", proof=proof)
        # A refused form leads back to its page.
        assert ("Receipt" in refused.text, 'id="proof-error"' in refused.text) == (False, True)

    assert served_site.call(COUNT.format(name=name)) == ["[1, 0]", "1"]
    assert "Receipt" in victim.client.submit(form, answers="erase", proof=VICTIM["PROLIFIC_PID"]).text
    assert served_site.call(COUNT.format(name=name)) == ["[1, 1]", "0"]


@pytest.mark.parametrize(
    ("addresses", "other"),
    [
        (("192.0.2.1",), "192.0.2.2"),
        # One household or rented server has all addresses of a /64 network.
        (tuple(f"2001:db8:1:2::{number:x}" for number in range(1, 46)), "2001:db8:1:3::1"),
    ],
    ids=["ipv4", "ipv6"],
)
def test_ids_cannot_be_tried_one_after_the_other(share_site, request, addresses, other):
    site = share_site(ACCORDANCE_JOINS_PER_MINUTE="20")
    (token,) = site.call(MAKE.format(name=f"tried-{request.node.callspec.id}"))
    thieves = [PanelRater(site, token, address=address) for address in addresses]
    elsewhere = PanelRater(site, token, address=other)

    seen = [
        thieves[number % len(thieves)].arrive(make_prolific(f"{number:024x}", session=f"s{number}")).status
        for number in range(45)
    ]

    # A minute may begin anew while they come.
    assert seen.count(429) >= 5
    assert elsewhere.arrive(VICTIM).status == 200
