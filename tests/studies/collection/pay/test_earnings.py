"""Tests of wages by measured time, top-ups, and the budget."""

from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from studies.collection.assignment import lease_task, leave_study
from studies.collection.lifecycle import close_study
from studies.collection.pay.claims import Claim, NoClaim, list_claims, pay_claim
from studies.collection.pay.earnings import Earning, NothingPromised, decide_top_ups, list_payees, pay_out, report_pay
from studies.collection.privacy.withdrawal import withdraw
from studies.design.study_design import Panel, Pay
from studies.enums import PanelKind, RaterOutcome
from studies.models import AuditEntry, Identity, Payment, Rater, Submission
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.scoring.working import finish, work

pytestmark = pytest.mark.django_db
PAY = Pay(currency="EUR", reward=1.0, hourly_wage=12.0, budget=100.0, fee_share=0.25)


def _make_study(**design):
    return make_open_study(**{"n_tasks": 4, "raters_per_task": 3, "pay": PAY, **design})


def test_finished_session_earns_the_reward_and_time_above_it_is_owed() -> None:
    study = _make_study(tasks_per_rater=2)
    rater = make_rater(study)
    work(rater, n_tasks=2, seconds=240)
    finish(rater, now=NOW + timedelta(minutes=8))

    report = report_pay(study)

    # 8 minutes at 12.00 an hour are 1.60, of which 1.00 is the reward.
    assert report.earnings == (
        Earning(
            rater="rater-1",
            outcome=RaterOutcome.FINISHED,
            seconds=480.0,
            n_sessions=1,
            earned=Decimal("1.0"),
            hourly=Decimal("7.50"),
            owed=Decimal("0.60"),
        ),
    )
    assert (report.median_hourly, report.spent, report.owed) == (Decimal("7.50"), Decimal("1.25"), Decimal("0.75"))
    assert report.budget_left == Decimal("98.00")


def test_who_is_at_work_is_owed_nothing_yet_and_who_left_is_owed_for_the_time() -> None:
    study = _make_study()
    working, left = make_rater(study, "working"), make_rater(study, "left")
    work(working, seconds=300)
    work(left, seconds=300)
    Rater.objects.filter(pk=left.pk).update(outcome=RaterOutcome.LEFT, finished_at=NOW)

    owed = {earning.rater: earning.owed for earning in report_pay(study).earnings}

    assert owed == {"working": Decimal(), "left": Decimal("1.00")}


@pytest.mark.parametrize("erase", [True, False])
def test_what_a_finished_rater_earned_stays_spent_and_owed_after_a_withdrawal(erase) -> None:
    panel = Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "DONE1"})
    study = _make_study(tasks_per_rater=2, panel=panel)
    rater = make_rater(study)
    work(rater, n_tasks=2, seconds=240)
    finish(rater, now=NOW + timedelta(minutes=8))
    before = report_pay(study)

    receipt = withdraw(rater, erase_judgments=erase, now=NOW, rng=Random(1))

    after = report_pay(study)
    # 8 minutes at 12.00 an hour are 1.60: the panel pays 1.00, and 0.60 are owed to who shows the receipt.
    assert (receipt.owed, receipt.currency) == (Decimal("0.60"), "EUR")
    assert (after.earnings, after.claims) == ((), (Claim(receipt.code, Decimal("0.60"), "EUR"),))
    assert (after.spent, after.owed) == (before.spent, before.owed) == (Decimal("1.25"), Decimal("0.75"))
    assert decide_top_ups(study, now=NOW) == []


def test_approved_money_of_withdrawn_raters_is_paid_once_on_the_receipt() -> None:
    study = _make_study()
    rater = make_rater(study)
    work(rater, seconds=300)
    Payment.objects.create(rater=rater, amount="0.40", currency="EUR", reason="top-up", decided_at=NOW)
    Payment.objects.create(rater=rater, amount="0.10", currency="EUR", reason="old", decided_at=NOW, paid_at=NOW)

    receipt = withdraw(rater, erase_judgments=True, now=NOW, rng=Random(1))

    # 5 minutes are 1.00, of which 0.50 were decided: 0.50 are owed beside the 0.40 not paid yet.
    assert list_claims(study) == (Claim(receipt.code, Decimal("0.90"), "EUR"),)
    assert pay_claim(study, receipt.code.lower(), now=NOW) == Claim(receipt.code, Decimal("0.90"), "EUR")
    assert (report_pay(study).claims, report_pay(study).spent) == ((), Decimal("1.25"))
    for code, words in ((receipt.code, "was paid on 20"), ("XXXX-1", "has no receipt")):
        with pytest.raises(NoClaim, match=words):
            pay_claim(study, code, now=NOW)


def test_reward_that_no_panel_pays_is_owed_on_the_receipt() -> None:
    study = _make_study(n_tasks=1)
    rater = make_rater(study)
    work(rater, seconds=60)
    finish(rater)

    assert withdraw(rater, erase_judgments=True, now=NOW, rng=Random(1)).owed == Decimal("1.00")


def test_nothing_is_owed_to_who_did_nothing() -> None:
    study = _make_study()

    receipt = withdraw(make_rater(study), erase_judgments=True, now=NOW, rng=Random(1))

    assert (receipt.owed, list_claims(study)) == (Decimal(), ())
    with pytest.raises(NoClaim, match="nothing is owed"):
        pay_claim(study, receipt.code, now=NOW)


def test_quick_work_is_paid_above_the_wage_and_owed_nothing() -> None:
    study = _make_study(tasks_per_rater=1)
    rater = make_rater(study)
    work(rater, seconds=60)
    finish(rater)

    (earning,) = report_pay(study).earnings

    assert (earning.hourly, earning.owed) == (Decimal("60.00"), Decimal("0.00"))


def test_time_in_a_task_counts_up_to_the_end_of_its_lease() -> None:
    study = _make_study(lease_minutes=10)
    work(make_rater(study), seconds=3600)

    assert report_pay(study).earnings[0].seconds == 600.0


@pytest.mark.parametrize(
    ("minutes", "seconds"), [(9, 540.0), (8 * 60, 660.0)], ids=["the whole visit", "left open for hours"]
)
def test_panel_measures_the_visit_and_idle_time_counts_up_to_a_lease(minutes, seconds) -> None:
    study = _make_study(lease_minutes=10)
    work(make_rater(study, identity_hash="a" * 64), seconds=60)
    Submission.objects.create(
        study=study,
        identity_hash="a" * 64,
        panel=PanelKind.PROLIFIC,
        session_id="s",
        started_at=NOW,
        ended_at=NOW + timedelta(minutes=minutes),
    )

    # One minute of work, and ten beside it.
    assert report_pay(study).earnings[0].seconds == seconds


@pytest.mark.parametrize(
    ("panel", "minutes", "seconds"),
    [(PanelKind.GENERIC, 1, 120.0), (PanelKind.IN_HOUSE, 24 * 60, 120.0)],
    ids=["ended before the work", "spans days"],
)
def test_visit_that_does_not_measure_the_work_does_not_count(panel, minutes, seconds) -> None:
    study = _make_study()
    work(make_rater(study, identity_hash="a" * 64), n_tasks=2, seconds=60)
    Submission.objects.create(
        study=study,
        identity_hash="a" * 64,
        panel=panel,
        session_id="s",
        started_at=NOW,
        ended_at=NOW + timedelta(minutes=minutes),
    )

    assert report_pay(study).earnings[0].seconds == seconds


def test_who_was_at_work_when_the_study_closed_is_owed_for_the_time() -> None:
    study = _make_study()
    work(make_rater(study), seconds=300)
    close_study(study, now=NOW)

    assert report_pay(study).earnings[0].owed == Decimal("1.00")


def test_each_full_session_earns_the_reward() -> None:
    study = _make_study(tasks_per_session=2)
    rater = make_rater(study)
    work(rater, n_tasks=2, seconds=60)

    assert report_pay(study).earnings[0].n_sessions == 1


def test_a_decided_top_up_is_not_owed_again() -> None:
    study = _make_study(tasks_per_rater=2)
    rater = make_rater(study)
    work(rater, n_tasks=2, seconds=240)
    finish(rater, now=NOW + timedelta(minutes=8))

    payments = decide_top_ups(study, now=NOW)

    assert [(payment.amount, payment.currency, payment.decided_at) for payment in payments] == [
        (Decimal("0.60"), "EUR", NOW)
    ]
    assert report_pay(study).earnings[0].owed == 0
    assert report_pay(study).median_hourly == Decimal("12.00")
    assert decide_top_ups(study, now=NOW) == []
    entry = AuditEntry.objects.get(action="pay_decided")
    assert entry.details == {"payments": 1, "total": "0.60", "currency": "EUR"}


def test_what_is_paid_out_is_written_down_without_names() -> None:
    study = _make_study()
    Identity.objects.create(identity_hash="a" * 64, panel="prolific", participant_id="zoe", created_at=NOW)
    rater = make_rater(study, "rater-a", identity_hash="a" * 64)
    Payment.objects.create(rater=rater, amount="0.50", currency="EUR", reason="top-up", decided_at=NOW)

    assert pay_out(study, now=NOW) == [("zoe", Decimal("0.50"), "EUR")]
    assert pay_out(study, now=NOW) == []

    assert AuditEntry.objects.get(action="paid").details == {"people": 1}


def test_payees_are_named_without_pseudonyms_and_in_their_own_order() -> None:
    study = _make_study()
    for letter, person in (("a", "zoe"), ("b", "adam")):
        Identity.objects.create(identity_hash=letter * 64, panel="prolific", participant_id=person, created_at=NOW)
        rater = make_rater(study, f"rater-{letter}", identity_hash=letter * 64)
        Payment.objects.create(rater=rater, amount="0.50", currency="EUR", reason="top-up", decided_at=NOW)
        Payment.objects.create(rater=rater, amount="0.25", currency="EUR", reason="thanks", decided_at=NOW)
        Payment.objects.create(rater=rater, amount="9", currency="EUR", reason="old", decided_at=NOW, paid_at=NOW)
    forgotten = make_rater(study, "forgotten")
    Payment.objects.create(rater=forgotten, amount="1", currency="EUR", reason="top-up", decided_at=NOW)

    assert list_payees(study) == [("adam", Decimal("0.75"), "EUR"), ("zoe", Decimal("0.75"), "EUR")]
    assert pay_out(study, now=NOW) == [("adam", Decimal("0.75"), "EUR"), ("zoe", Decimal("0.75"), "EUR")]
    assert list_payees(study) == []
    assert list(Payment.objects.filter(paid_at=None).values_list("rater", flat=True)) == [forgotten.pk]


def test_design_without_pay_says_so() -> None:
    with pytest.raises(NothingPromised, match="sets neither a reward nor an hourly wage"):
        report_pay(make_open_study())


def test_session_that_others_cut_short_is_owed_its_share_and_no_task_earns_nothing() -> None:
    study = _make_study(n_tasks=4, raters_per_task=1, tasks_per_rater=4, pay=Pay(reward=2.0, hourly_wage=12.0))
    holder, cut, late = make_rater(study, "holder"), make_rater(study, "cut"), make_rater(study, "late")
    lease_task(holder, now=NOW)
    work(cut, n_tasks=3, seconds=60)
    assert finish(cut).outcome == RaterOutcome.CUT_SHORT
    assert finish(late).outcome == RaterOutcome.NO_TASKS

    found = {one.rater: (one.n_sessions, one.earned, one.owed) for one in report_pay(study).earnings}

    # Three of four tasks are three quarters of 2.00; three minutes at 12.00 an hour would be 0.60.
    assert found["cut"] == (0, Decimal("0.0"), Decimal("1.50"))
    assert found["holder"] == (0, Decimal("0.0"), Decimal())
    assert "late" not in found


def test_rater_at_work_whose_slots_go_back_is_paid_as_if_the_study_had_closed_on_them() -> None:
    study = _make_study(tasks_per_session=4, pay=Pay(reward=2.0))
    rater = make_rater(study)
    work(rater, n_tasks=1, seconds=60)
    assert report_pay(study).earnings[0].owed == 0

    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)
    (given_back,) = report_pay(study).earnings
    assert lease_task(rater, now=NOW) is None
    lift_exclusion(rater, now=NOW)
    (again,) = report_pay(study).earnings
    close_study(study, now=NOW)
    (closed,) = report_pay(study).earnings

    assert (given_back.n_sessions, given_back.owed) == (closed.n_sessions, closed.owed) == (0, Decimal("0.50"))
    assert (again.outcome, again.owed) == ("", Decimal())


def test_who_had_left_earns_no_more_by_slots_that_go_back() -> None:
    study = _make_study(tasks_per_session=4, pay=Pay(reward=2.0))
    rater = make_rater(study)
    work(rater, n_tasks=1, seconds=60)
    leave_study(rater, now=NOW)
    (left,) = report_pay(study).earnings

    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)

    assert report_pay(study).earnings == (left,)
    assert left.owed == 0


def test_work_in_a_study_that_was_closed_is_owed_its_share() -> None:
    study = _make_study(tasks_per_session=2, pay=Pay(reward=2.0))
    rater = make_rater(study)
    work(rater, n_tasks=1, seconds=60)
    close_study(study, now=NOW)

    (earning,) = report_pay(study).earnings

    assert (earning.n_sessions, earning.owed) == (0, Decimal("1.00"))
