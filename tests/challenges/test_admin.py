"""Tests of the admin of challenges, which shows every table, changes none and hides tokens and scores by image."""

import pytest
from django.apps import apps
from django.urls import reverse

from challenges.models import HostToken, SubmissionScore, TeamInvitation, TeamToken, TeamWebhook
from tests.challenges.board.test_ranking import add
from tests.challenges.challenges import make_challenge, make_phase, make_team
from tests.factories.studies import NOW, make_user

MODELS = [model for model in apps.get_app_config("challenges").get_models() if not model._meta.auto_created]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.django_db
def test_every_table_is_shown(client, model):
    client.force_login(make_user("superuser", is_superuser=True, is_staff=True))

    assert client.get(reverse(f"admin:challenges_{model._meta.model_name}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:challenges_{model._meta.model_name}_add")).status_code == 403


@pytest.mark.django_db
def test_invitations_and_scores_by_image_are_hidden(client):
    user = make_user("superuser", is_superuser=True, is_staff=True)
    client.force_login(user)
    phase = make_phase(make_challenge())
    team = make_team(phase.challenge)
    add(phase, team, 0.5)
    SubmissionScore.objects.update(per_image=b"planted")
    TeamInvitation.objects.create(team=team, digest="planted", made_by=user, made_at=NOW, expires_at=NOW)
    TeamToken.objects.create(team=team, digest="planted", made_by=user, made_at=NOW, expires_at=NOW)
    HostToken.objects.create(digest="planted", made_by=user, made_at=NOW, expires_at=NOW)
    TeamWebhook.objects.create(
        member=team.members.get(), url="https://planted.example/", encrypted_secret="planted", made_at=NOW
    )
    for model in (TeamWebhook, SubmissionScore, TeamInvitation, TeamToken, HostToken):
        row = model.objects.get()
        page = client.get(reverse(f"admin:challenges_{row._meta.model_name}_change", args=[row.pk]))
        assert page.status_code == 200
        assert b"planted" not in page.content
