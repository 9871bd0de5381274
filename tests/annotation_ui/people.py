"""Raters for tests, each with a browser."""

from django.test import Client
from django.urls import reverse

from studies.collection.shown_tasks import load_shown_items, name_image
from studies.models import Assignment, Rater


class Person:
    """Somebody with a browser, at the pages of one study: a stranger until they `join`."""

    def __init__(self, study, *, checks_csrf=False):
        self.study = study
        self.client = Client(enforce_csrf_checks=checks_csrf)

    def get(self, page, **kwargs):
        return self.client.get(self.address(page, **kwargs))

    def post(self, page, data=None, **kwargs):
        return self.client.post(self.address(page, **kwargs), data or {})

    def address(self, page, **kwargs):
        return reverse(f"annotation_ui:{page}", kwargs={"join_token": self.study.join_token, **kwargs})

    def join(self):
        self.post("join", {"agrees": "on"})
        self.rater = Rater.objects.latest("pk")
        return self

    def take_task(self):
        """Open the task page and return the assignment on it."""
        self.get("task")
        return Assignment.objects.get(rater=self.rater, state="leased")

    def post_refused(self, page, data=None, **kwargs):
        """Submit a form that is refused, and return the page that asks again."""
        refusal = self.post(page, data, **kwargs)
        assert refusal.status_code == 302
        return self.client.get(refusal.url)

    def answer(self, assignment, choice, **extra):
        """Submit one choice for every item."""
        return self.post("submit", {**fill_items(assignment, choice), **extra}, pk=assignment.pk)

    def address_image(self, image):
        """Return the address that an image has for this rater."""
        name = name_image(image.pk, seed=self.study.seed, rater=self.rater.pk)
        return self.address("image", name=name)


def name_items(assignment):
    """Return what the page of an assignment calls its items, by primary key, in the order shown."""
    shown = load_shown_items(assignment, seed=assignment.study.seed)
    return {one.pk: one.name for one in shown}


def fill_items(assignment, choice):
    """Return the fields of the page that give every item one choice."""
    return {f"item-{name}": choice for name in name_items(assignment).values()}
