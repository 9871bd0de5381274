"""Tests of the page of one item."""

from studies.models import Comment
from tests.factories.studies import NOW
from tests.studies.scored import list_items


def test_item_is_shown_with_captions_references_and_judgments(client, study, people):
    item = list_items(study)[0]
    client.force_login(people["viewer"])

    response = client.get(f"/studies/study/items/{item.pk}/")
    shown = response.content.decode()

    assert item.candidate.text in shown
    assert all(each.text in shown for each in item.image.references.all())
    assert sum(n for _, n in response.context["counts"]) == response.context["judged"].n_judgments > 0


def test_overview_leads_to_items_and_counts_their_comments(client, study, people):
    item = list_items(study)[0]
    for text in ("One.", "Two."):
        Comment.objects.create(study=study, item=item, text=text, made_at=NOW)
    client.force_login(people["viewer"])

    shown = client.get("/studies/study/").content.decode()

    assert f'<a href="/studies/study/items/{item.pk}/">{item.key}</a>' in shown
    assert shown.count(" · 2 comments") == 1
