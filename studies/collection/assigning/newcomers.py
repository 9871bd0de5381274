"""The limit on how many newcomers of one network hold a main task at the same time.

A rater is a newcomer until the first main task is submitted, and again after a main task that ran out without an
answer, until the next one is submitted. A lease costs nothing, so without the limit one person could join under new
names, or answer once under each of them, and hold every slot of a study. With it, whoever holds slots without working
holds few of them, for a short time (`StudyDesign.first_lease_minutes`). Raters who work are not limited: a class or a
university behind one address begins in turns, a few seconds apart, and then works all at once.

The rule is a constraint: a counted lease has one of the numbers below `ACCORDANCE_NEWCOMERS_PER_ADDRESS`, which no
other lease of the same network has in that study. A trigger takes the number away when the lease ends.
"""

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from studies.models import AddressLease, Assignment


class TooManyNewcomers(Exception):
    """Newcomers of this network hold as many tasks as they may; the message says what the rater can do."""


def count_newcomer(assignment: Assignment, *, network: str) -> None:
    """Count a newcomer's lease for the network, given by its keyed hash, that it is asked for from.

    Raises:
        TooManyNewcomers: There is no number left; whoever began the transaction of the lease lets it fail.
    """
    most = settings.ACCORDANCE_NEWCOMERS_PER_ADDRESS
    of_network = AddressLease.objects.filter(study=assignment.study_id, network_hash=network)
    while True:
        taken = set(of_network.values_list("number", flat=True))
        # Beginning anywhere: of many who come at once few try for the same number.
        numbers = ((assignment.rater_id + step) % most for step in range(most))
        number = next((number for number in numbers if number not in taken), None)
        if number is None:
            raise TooManyNewcomers(
                gettext(
                    "So that tasks are left for everybody, only some people from one network can begin at the same "
                    "moment. As soon as one of them has saved a first answer, somebody else can begin."
                )
            )
        try:
            with transaction.atomic():
                AddressLease.objects.create(
                    assignment=assignment, study_id=assignment.study_id, network_hash=network, number=number
                )
        except IntegrityError:
            # Somebody else took it at this moment.
            continue
        return
