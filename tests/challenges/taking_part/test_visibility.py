"""Tests that visible challenges are those that a person has the permission to view."""

import pytest
from django.contrib.auth.models import AnonymousUser

from challenges.models import Challenge
from challenges.rules import VIEW_CHALLENGE
from challenges.taking_part.visibility import visible_challenges
from tests.challenges.challenges import make_challenge
from tests.factories.studies import make_user


@pytest.mark.django_db
def test_visible_are_those_with_the_permission_to_view(django_assert_num_queries):
    owner, host = make_user("owner"), make_user("host")
    people = [
        owner,
        host,
        make_user("stranger"),
        make_user("superuser", is_superuser=True),
        make_user("dismissed", is_active=False),
        AnonymousUser(),
    ]
    for state in ("draft", "open", "closed"):
        make_challenge(f"owned-{state}", owner=owner, state=state)
        make_challenge(f"hosted-{state}", state=state).hosts.add(host)

    for person in people:
        expected = {each.slug for each in Challenge.objects.all() if person.has_perm(VIEW_CHALLENGE, each)}
        with django_assert_num_queries(1):
            visible = {each.slug for each in visible_challenges(person)}
        assert visible == expected
