"""Tests of counting attempts by address and account."""

from datetime import timedelta

import pytest

from studies.access.limits import JOINS, SIGN_UPS, count_attempt, read_address, read_network
from studies.collection.privacy.erasure import erase_expired
from studies.models import Tally
from tests.factories.studies import NOW


@pytest.mark.django_db
def test_attempts_are_counted_by_span_and_by_who():
    counted = [count_attempt(JOINS, "a", most=2, now=NOW + timedelta(seconds=second)) for second in (0, 30, 59, 60)]

    assert counted == [True, True, False, True]
    assert count_attempt(JOINS, "b", most=2, now=NOW)
    assert count_attempt(SIGN_UPS, "a", most=2, now=NOW)
    # What an address is told by is not in the table.
    assert not Tally.objects.filter(who_hash__contains="a/").exists()
    assert {len(tally.who_hash) for tally in Tally.objects.all()} == {64}


@pytest.mark.django_db
def test_no_limit_counts_nothing():
    assert all(count_attempt(JOINS, "a", most=0, now=NOW) for _ in range(5))
    assert Tally.objects.count() == 0


@pytest.mark.django_db
def test_counts_are_deleted_after_an_hour():
    count_attempt(JOINS, "a", most=1, now=NOW)
    count_attempt(JOINS, "b", most=1, now=NOW + timedelta(minutes=59))
    count_attempt(JOINS, "b", most=1, now=NOW + timedelta(minutes=62))

    assert list(Tally.objects.values_list("began_at", flat=True)) == [
        NOW + timedelta(minutes=59),
        NOW + timedelta(minutes=62),
    ]


@pytest.mark.django_db
def test_daily_forgetting_deletes_them_where_nobody_came_since():
    count_attempt(JOINS, "a", most=1, now=NOW)

    erase_expired(now=NOW + timedelta(minutes=60))
    before = Tally.objects.count()
    erase_expired(now=NOW + timedelta(minutes=61))

    assert (before, Tally.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("n_proxies", "forwarded", "address"),
    [
        (0, "1.1.1.1", "9.9.9.9"),
        (1, "6.6.6.6, 1.1.1.1", "1.1.1.1"),
        (2, "6.6.6.6, 1.1.1.1, 2.2.2.2", "1.1.1.1"),
        (1, "", "9.9.9.9"),
        (2, "1.1.1.1", "9.9.9.9"),
    ],
)
def test_address_is_the_one_that_the_outermost_proxy_saw(settings, n_proxies, forwarded, address):
    settings.ACCORDANCE_PROXIES = n_proxies

    assert read_address({"REMOTE_ADDR": "9.9.9.9", "HTTP_X_FORWARDED_FOR": forwarded}) == address


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::"),
        # All of IPv4 would be one network of IPv6.
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("unknown", "0.0.0.0"),  # noqa: S104 - bound to nothing
    ],
)
def test_ipv6_addresses_are_grouped_by_network(settings, address, network):
    settings.ACCORDANCE_PROXIES = 1

    assert read_network({"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": f"10.9.9.9, {address}"}) == network
