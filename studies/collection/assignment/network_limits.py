"""Limits how many newcomers of one network may hold a main task at the same time, since reserving slots is free.

A rater is a newcomer until the first main task is submitted, and again after a main task whose lease expired, until
the next one is submitted. Without the limit, one person could join under new names, or answer once under each of
them, and hold every slot of a study. With it, somebody who holds slots without working holds a limited number of them,
for a shorter time (`first_lease_minutes` of `StudyDesign`). Raters who work are not limited: a class or a university
behind one address starts in groups, some seconds apart, and then works in parallel.

The limit is a constraint: a counted lease has a number below `ACCORDANCE_NEWCOMERS_PER_ADDRESS` that no other lease
of the same network has in the study. A trigger releases the number when the lease ends.
"""

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from studies.models import AddressLease, Assignment


class TooManyNewcomers(Exception):
    """The network has reached its limit of tasks held by newcomers; the message tells the rater what to do."""


def count_newcomer(assignment: Assignment, *, network: str) -> None:
    """Count a newcomer's lease for the network with this keyed hash.

    Raises:
        TooManyNewcomers: No number is free; the caller rolls back the transaction of the lease.
    """
    most = settings.ACCORDANCE_NEWCOMERS_PER_ADDRESS
    of_network = AddressLease.objects.filter(study=assignment.study_id, network_hash=network)
    while True:
        taken = set(of_network.values_list("number", flat=True))
        # Start at different numbers, so that few concurrent requests try the same one.
        numbers = ((assignment.rater_id + step) % most for step in range(most))
        number = next((number for number in numbers if number not in taken), None)
        if number is None:
            raise TooManyNewcomers(
                gettext(
                    "Only a limited number of people from one network can start at the same time, so that tasks are "
                    "left for everybody. As soon as one of them has saved a first answer, somebody else can start."
                )
            )
        try:
            with transaction.atomic():
                AddressLease.objects.create(
                    assignment=assignment, study_id=assignment.study_id, network_hash=network, number=number
                )
        except IntegrityError:
            # Another request has just taken this number.
            continue
        return
