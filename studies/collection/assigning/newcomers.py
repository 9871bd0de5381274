"""How many raters of one network may hold a first task at the same moment: slots cost whoever takes them nothing.

A rater who has submitted a main task is a newcomer no more, whose leases nothing counts. So a class or a university
behind one address begins in turns of some seconds, and then works on all at once; but who only asks for tasks, under
ever new names, holds so many slots and no more, for a shorter time than others (`StudyDesign.first_lease_minutes`).

The rule is a constraint: a counted lease has one of the numbers below `ACCORDANCE_NEWCOMERS_PER_ADDRESS`, which no
other lease of the same network has in that study. A trigger takes the number away when the lease ends.
"""

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from studies.models import AddressLease, Assignment


class TooManyNewcomers(Exception):
    """As many raters of this network as may begin at once hold a first task; the message tells the rater what to do."""


def count_newcomer(assignment: Assignment, *, network: str) -> None:
    """Let a first lease count for the network that it is asked for from, by the network's keyed hash.

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
