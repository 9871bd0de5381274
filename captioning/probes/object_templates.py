"""Object templates against captioners: captions that only list objects, under SPICE and SPICE-U.

Wang et al. (2020), "Towards Unique and Informative Captioning of Images", section 3.2 and figure 3: a sentence with the
most common classes of objects that a detector finds reaches the SPICE of captioners in fewer words, but not their
SPICE-U. The figure has mean caption lengths on the x-axis and the metric on the y-axis.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from captioning.api import CaptionedImages
from captioning.captioners.object_template import NOTHING, fill_template, rank_classes
from captioning.selection.scoring import score_candidates
from metrics_plugins.api import Batch, Fittable, Metric
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.runtime import fit_metric, load_registry
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

METRICS: Final = ("spice", "spice-u")
N_CLASSES: Final = (10, 20, 40, 80)
"""The numbers of classes of the templates; COCO has 80, the paper has up to 1,000 of Visual Genome."""


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """The result of one way to write captions.

    Attributes:
        name: The captioner, or the template with its number of classes.
        is_template: Whether it only lists objects.
        mean_words: The mean number of words of its captions.
        n_empty: The number of captions that name nothing: of a template those of images without an object of its
            classes ("There is nothing"), of a captioner those without words.
        scores: By metric.
    """

    name: str
    is_template: bool
    mean_words: float
    n_empty: int
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TemplateReport:
    """The result of the comparison.

    Attributes:
        note: The remark of the images; empty if none.
        n_images: The number of images.
        objects: Where the objects of the templates come from.
        classes: The most common classes, at most ten, the most common one first.
        rows: The templates, then the captioners.
    """

    note: str
    n_images: int
    objects: str
    classes: tuple[str, ...]
    rows: tuple[TemplateRow, ...]

    def find_topped(self, metric: str) -> tuple[tuple[str, str], ...]:
        """Return the pairs of a template and a captioner that scores below it."""
        return tuple(
            (template.name, captioner.name)
            for template in self.rows
            for captioner in self.rows
            if template.is_template and not captioner.is_template and template.scores[metric] > captioner.scores[metric]
        )


def compare_templates(
    systems: Mapping[str, Sequence[str]],
    data: CaptionedImages,
    *,
    training: CaptionedImages,
    objects: str,
    n_classes: Sequence[int] = N_CLASSES,
    metrics: Sequence[str] = METRICS,
    rng: np.random.Generator,
    track: Track = pass_on,
) -> TemplateReport:
    """Score templates and captioners against the same references.

    A template names those objects of `data.images.objects` whose class is among the most common ones of the training
    images, each once and in their order.

    Args:
        systems: The captions of each captioner: `(n_images,)`.
        data: Images with objects and references.
        training: Images whose objects are counted, and in whose captions metrics count concepts (SPICE-U).
        objects: Where the objects come from, for the report.
        n_classes: The numbers of classes; a number above that of all classes gives all.
        metrics: The ids of metrics of single captions.
        rng: For metrics that are fitted.
        track: Displays progress.

    Raises:
        ValueError: The images have no objects, or a captioner has another number of captions.
        MetricError: A metric fails.
    """
    if data.images.objects is None or training.images.objects is None:
        raise ValueError("object templates need images with objects")
    for name, captions in systems.items():
        if len(captions) != len(data):
            raise ValueError(f"{name!r} has {len(captions)} captions, but there are {len(data)} images")
    common = rank_classes(training.images.objects)
    templates = {
        f"template ({number} classes)": fill_templates(data.images.objects, classes=common[:number])
        for number in n_classes
    }
    fitted = _fit_metrics(metrics, training, rng=rng)
    written = {**templates, **systems}
    rows = []
    for name, captions in track(written.items(), total=len(written), label="templates"):
        lengths = [len(line.split()) for line in tokenize_captions(captions)]
        n_empty = sum(text == NOTHING or not length for text, length in zip(captions, lengths, strict=True))
        scores = score_candidates(fitted, [(text,) for text in captions], data.captions, rng=rng)
        first = np.zeros(len(captions), dtype=np.int64)
        rows.append(
            TemplateRow(
                name=name,
                is_template=name in templates,
                mean_words=float(np.mean(lengths)),
                n_empty=n_empty,
                scores={each.metric.info.id: each.summarize(first) for each in scores},
            )
        )
    return TemplateReport(note=data.note, n_images=len(data), objects=objects, classes=common[:10], rows=tuple(rows))


def fill_templates(objects: Sequence[Sequence[str]], *, classes: Sequence[str]) -> tuple[str, ...]:
    """Return the caption of each image with its objects of these classes, as the captioner `object-template` does."""
    known = frozenset(classes)
    return tuple(fill_template(name for name in own if name in known) for own in objects)


def _fit_metrics(ids: Sequence[str], training: CaptionedImages, *, rng: np.random.Generator) -> list[Metric]:
    registry = load_registry()
    batch = Batch.make(map(str, range(len(training))), references=training.captions)
    built = [registry.build(name) for name in ids]
    return [fit_metric(metric, batch, rng=rng) if isinstance(metric, Fittable) else metric for metric in built]
