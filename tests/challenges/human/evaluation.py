"""A phase whose images have pictures, its entries, and human studies with judgments."""

from dataclasses import replace
from datetime import timedelta

from django.core.files.base import ContentFile

from challenges.human.making import HumanPlan, make_human_study
from challenges.models import Phase
from studies.access.audit import COMMAND_LINE
from studies.collection.lifecycle import close_study, open_study
from studies.design.changes import change_design
from studies.models import Image, Item
from tests.challenges.challenges import make_challenge, make_phase, make_team, score_all, submit, write_results
from tests.factories.open_studies import draw_picture
from tests.factories.studies import NOW, make_judgment, make_rater, make_user

TEAMS = {
    "Lynx": {},
    "Ibex": {"_10": "a brown dog running outside", "_11": "a couple cycling down the street"},
    "Puma": {"_10": "a bus", "_11": "a bus", "_12": "a bus", "_13": "a bus"},
}
TEXTS = {"information": "Captions of photographs.", "consent": "I take part."}


def add_pictures(challenge, *, but=()):
    """Give the images of a challenge's dataset a file each, but those with the keys of `but`."""
    for position, image in enumerate(Image.objects.filter(dataset=challenge.dataset).exclude(key__in=but)):
        image.file.save(f"{image.key}.png", ContentFile(draw_picture(position)))


def make_evaluated_phase(slug="captions", **extra) -> Phase:
    """Make a phase with the scored entries of three teams, whose board everybody sees, on images with pictures."""
    challenge = make_challenge(slug, owner=make_user(f"host-of-{slug}"), **extra)
    add_pictures(challenge)
    phase = make_phase(challenge, visibility="all")
    for name, captions in TEAMS.items():
        submit(phase, team=make_team(challenge, name), content=write_results(**captions))
    score_all()
    return phase


def evaluate(phase, criterion="M3", *, n_images=4, seed=1, **extra):
    """Make a human study of the phase, owned by the owner of the challenge."""
    plan = HumanPlan(name=f"study-{criterion}".lower(), criterion=criterion, n_images=n_images, seed=seed)
    plan = replace(plan, **extra)
    return make_human_study(phase, plan=plan, owner=phase.challenge.owner, actor=COMMAND_LINE, now=NOW)


def open_human(human):
    """Open a human study with what a design must have."""
    change_design(human.study, changes=TEXTS, now=NOW, actor=COMMAND_LINE, user=human.study.owner)
    open_study(human.study, now=NOW)


def close_human(human):
    close_study(human.study, now=NOW + timedelta(hours=1))


def judge(human, values, *, raters=("rater-1", "rater-2")):
    """Let raters judge all items: `values` by name of the system, or of both for pairs."""
    people = [make_rater(human.study, f"{human.study.name}-{name}") for name in raters]
    for item in Item.objects.filter(task__study=human.study).select_related("candidate__system"):
        other = item.other_candidate
        key = item.candidate.system.name if other is None else (item.candidate.system.name, other.system.name)
        for rater in people:
            make_judgment(item, rater, values[key])
