"""The rows of a study as records that refer to each other by keys instead of primary keys, and identify no person.

Deliberately omitted: keyed hashes and other data of panels, secret fields of designs, revisions of answers, and
fractions of seconds. Of raters who withdrew, only the values that they allowed are included, and no text.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from studies.design.study_design import StudyDesign
from studies.enums import RaterOutcome, StudyState
from studies.models import (
    Assignment,
    Candidate,
    Exclusion,
    Image,
    Item,
    Judgment,
    Preregistration,
    Rater,
    Reference,
    ReferenceChoice,
    Study,
    StudyVersion,
)
from studies.models.judgment import DONE

Record = dict[str, Any]


def describe_study(study: Study) -> Record:
    """Return the study and its dataset, without their owners.

    The seed is included only after the study was closed, when it can no longer unblind anybody.
    """
    dataset = study.dataset
    seed = {"seed": study.seed} if study.state == StudyState.CLOSED else {}
    return seed | {
        "name": study.name,
        "title": study.title,
        "kind": study.kind,
        "protocol": study.protocol,
        "started_at": study.started_at and print_time(study.started_at),
        "dataset": {
            "name": dataset.name,
            "title": dataset.title,
            "source": dataset.source,
            "source_digest": dataset.source_digest,
            **({"world_profile": dataset.world_profile} if dataset.world_profile else {}),
        },
        **({"is_simulated": True} if study.is_simulated else {}),
        **({"is_computed": True} if study.is_computed else {}),
        "systems": [
            {"name": each.name, "is_human": each.is_human, **({"captioner": each.captioner} if each.captioner else {})}
            for each in dataset.systems.all()
        ],
    }


def list_versions(study: Study) -> Iterator[Record]:
    """Yield the versions of the design, without its secret fields."""
    for version in StudyVersion.objects.filter(study=study).order_by("number"):
        design = StudyDesign.from_json(version.design).to_public_json()
        yield {"number": version.number, "created_at": print_time(version.created_at), "design": design}


def list_preregistrations(study: Study) -> Iterator[Record]:
    """Yield the preregistrations, each with its digest."""
    for each in Preregistration.objects.filter(study=study).order_by("number"):
        yield {
            "number": each.number,
            "frozen_at": print_time(each.frozen_at),
            "sha256": each.digest,
            "content": each.content,
        }


def list_images(study: Study) -> Iterator[Record]:
    """Yield the images with their references, and their worlds if these are known."""
    texts = Reference.objects.filter(image__dataset=study.dataset_id).order_by("image_id", "position")
    references = groupby(texts.values_list("image_id", "text").iterator(), key=lambda row: row[0])
    owner, own = next(references, (None, iter(())))
    images = Image.objects.filter(dataset=study.dataset_id).order_by("pk").values_list("pk", "key", "world")
    for pk, key, world in images.iterator():
        found = [text for _, text in own] if owner == pk else []
        if owner == pk:
            owner, own = next(references, (None, iter(())))
        yield {"key": key, "references": found} | ({} if world is None else {"world": world})


def list_candidates(study: Study) -> Iterator[Record]:
    """Yield the captions; the text of a caption is empty if its author withdrew."""
    fields = ("key", "image__key", "system__name", "text", "caption_set__image__key", "caption_set__system__name")
    rows = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk").values_list(*fields, "author__outcome")
    for key, image, system, text, set_image, set_system, outcome in rows.iterator():
        record = {"key": key, "image": image, "system": system, "text": text}
        if set_image is not None:
            record["caption_set"] = [set_image, set_system]
        if outcome == RaterOutcome.WITHDRAWN:
            record["text"] = ""
        yield record


def list_reference_choices(study: Study) -> Iterator[Record]:
    """Yield the reference sets; each reference is given by its position among those of its image."""
    fields = (
        *("reference_set__name", "reference_set__part", "candidate__key"),
        *("alternative", "position", "reference__position"),
    )
    rows = ReferenceChoice.objects.filter(reference_set__dataset=study.dataset_id)
    names = ("set", "part", "candidate", "alternative", "position", "reference")
    for values in rows.order_by("pk").values_list(*fields).iterator():
        yield dict(zip(names, values, strict=True))


def list_items(study: Study) -> Iterator[Record]:
    """Yield the items with their tasks, in the order in which judgments number them."""
    fields = {
        "task": "task__position",
        "role": "task__role",
        "position": "position",
        "key": "key",
        "category": "category",
        "image": "image__key",
        "anchor": "anchor__position",
        "candidate": "candidate__key",
        "other_candidate": "other_candidate__key",
        "expected": "expected",
        "feedback": "feedback",
    }
    rows = Item.objects.filter(task__study=study).order_by("pk")
    sets = ("caption_set__image__key", "caption_set__system__name")
    for *values, image, system in rows.values_list(*fields.values(), *sets).iterator():
        record = dict(zip(fields, values, strict=True))
        record["caption_set"] = None if image is None else [image, system]
        yield {name: value for name, value in record.items() if value not in (None, "")}


def list_raters(study: Study) -> Iterator[Record]:
    """Yield the raters with judgments, by pseudonym."""
    judged = Rater.objects.filter(study=study, pk__in=Judgment.objects.filter(item__task__study=study).values("rater"))
    fields = ("pseudonym", "is_placeholder", "outcome")
    for values in judged.order_by("pk").values_list(*fields).iterator():
        yield dict(zip(fields, values, strict=True))


def list_judgments(study: Study) -> Iterator[Record]:
    """Yield the judgments in the order of submission, with item by task and position, and rater by pseudonym."""
    fields = {
        "task": "item__task__position",
        "item": "item__position",
        "rater": "rater__pseudonym",
        "value": "value",
        "elapsed_ms": "elapsed_ms",
        "at": "created_at",
        "surplus_since": "surplus_since",
        "answer": "answer",
    }
    rows = Judgment.objects.filter(item__task__study=study).order_by("pk")
    for *values, outcome in rows.values_list(*fields.values(), "rater__outcome").iterator(chunk_size=5000):
        record = dict(zip(fields, values, strict=True))
        record["at"] = print_time(record["at"])
        record["surplus_since"] = record["surplus_since"] and print_time(record["surplus_since"])
        if outcome == RaterOutcome.WITHDRAWN or not record["answer"]:
            del record["answer"]
        yield {name: value for name, value in record.items() if value is not None}


def list_orders(study: Study) -> Iterator[Record]:
    """Yield the order in which each rater was shown the items of a task and their captions."""
    keys = dict(Candidate.objects.filter(dataset=study.dataset_id).values_list("pk", "key"))
    places = dict(Item.objects.filter(task__study=study).values_list("pk", "position"))
    submitted = Assignment.objects.filter(study=study, state__in=DONE).order_by("pk")
    for rater, task, shown in submitted.values_list("rater__pseudonym", "task__position", "shown").iterator():
        if shown:
            order = [[places[entry["item"]], [keys[pk] for pk in entry["captions"]]] for entry in shown]
            yield {"rater": rater, "task": task, "shown": order}


def list_exclusions(study: Study) -> Iterator[Record]:
    """Yield the exclusions of raters, with the time when one was lifted."""
    rows = Exclusion.objects.filter(rater__study=study, rater__judgments__isnull=False).distinct().order_by("pk")
    for each in rows.select_related("rater"):
        yield {
            "rater": each.rater.pseudonym,
            "rule": each.rule,
            "reason": each.reason,
            "decided_at": print_time(each.decided_at),
            "lifted_at": each.lifted_at and print_time(each.lifted_at),
        }


def print_time(moment: datetime) -> str:
    """Return a time in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


LISTS = {
    "versions.jsonl": list_versions,
    "preregistrations.jsonl": list_preregistrations,
    "images.jsonl": list_images,
    "candidates.jsonl": list_candidates,
    "reference_choices.jsonl": list_reference_choices,
    "items.jsonl": list_items,
    "raters.jsonl": list_raters,
    "judgments.jsonl": list_judgments,
    "orders.jsonl": list_orders,
    "exclusions.jsonl": list_exclusions,
}
"""Name of a file in a bundle -> the function that yields its records."""
