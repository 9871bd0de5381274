"""Initial designs with the questions of published human evaluations, worded to keep their meaning.

The texts for raters are part of a protocol, so a study stores its own copy. They are marked for translation: raters
read those that a researcher did not change in the language of their pages (`annotation_ui/stock_texts.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext_noop as _

from studies.design.study_design import ScalePoint, Slider, StudyDesign
from studies.enums import TaskKind


@dataclass(frozen=True, slots=True)
class Preset:
    """A named design.

    Attributes:
        name: Its name in the study builder and the documentation.
        title: Its title.
        kind: The kind of task.
        source: The paper and the place in it; for our own presets, what they follow.
        design: Question, instructions and scale. Consent, raters and payment are set by the researcher.
    """

    name: str
    title: str
    kind: TaskKind
    source: str
    design: StudyDesign


RATERS: Final = 3
"""With three raters, agreement and the human ceiling can be measured, and a majority exists."""
ORDINAL_RATERS: Final = 5
"""Ratings in steps are less reliable, and their mean has finer steps with more raters."""

_HODOSH: Final = (
    "Hodosh, Young and Hockenmaier, Framing Image Description as a Ranking Task, Journal of Artificial Intelligence "
    "Research 47 (2013)"
)
_COCO: Final = (
    "COCO captioning challenge of 2015; Vinyals, Toshev, Bengio and Erhan, Show and Tell: Lessons learned from the "
    "2015 MSCOCO Image Captioning Challenge (2016)"
)
_LOOK: Final = _("Look at the image first, then read the caption to its end.")


def _join(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs)


def _scale(*labels: str, first: float = 1.0) -> tuple[ScalePoint, ...]:
    return tuple(ScalePoint(first + step, label) for step, label in enumerate(labels))


_ALL: Final = (
    Preset(
        "flickr8k-expert",
        "Fit of a caption, 1 to 4 (Flickr8k experts)",
        TaskKind.RATING,
        f"{_HODOSH}: expert judgments",
        StudyDesign(
            question=_("How well does the caption describe the image?"),
            instructions=_join(_LOOK, _("Judge each caption by itself, by what it says about the image.")),
            scale=_scale(
                _("It is unrelated to the image"),
                _("It has aspects that are right, but on the whole it does not describe the image"),
                _("It almost describes the image, with minor mistakes"),
                _("It describes the image without any mistake"),
            ),
            raters_per_task=ORDINAL_RATERS,
        ),
    ),
    Preset(
        "flickr8k-cf",
        "Does the caption describe the image: yes or no (Flickr8k, crowd)",
        TaskKind.RATING,
        f"{_HODOSH}: judgments collected with CrowdFlower",
        StudyDesign(
            question=_("Does the caption describe the image?"),
            instructions=_join(
                _LOOK, _("Answer yes if it describes the image, even with small mistakes; otherwise no.")
            ),
            scale=_scale(_("No"), _("Yes"), first=0.0),
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "coco-m1",
        "Better than, or as good as, the caption of a person (COCO M1)",
        TaskKind.PAIRWISE,
        f"{_COCO}: M1, percentage of captions evaluated as better than or equal to a human caption",
        StudyDesign(
            question=_("Which caption describes the image better?"),
            instructions=_join(
                _(
                    "Look at the image and read both captions. Choose the better one, or “No preference” if they are "
                    "equally good."
                ),
                _("You are not told who wrote a caption, and it does not matter."),
            ),
            allows_no_preference=True,
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "coco-m2",
        "Person or machine (COCO M2)",
        TaskKind.TURING,
        f"{_COCO}: M2, percentage of captions that pass the Turing test",
        StudyDesign(
            question=_("Did a person or a machine write this caption?"),
            instructions=_join(_LOOK, _("Say whether you believe that a person or a machine wrote it.")),
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "coco-m3",
        "Correctness, 1 to 5 (COCO M3)",
        TaskKind.RATING,
        f"{_COCO}: M3, average correctness of the captions on a scale from 1 (incorrect) to 5 (correct)",
        StudyDesign(
            question=_("How correct is the caption?"),
            instructions=_join(_LOOK, _("Judge whether what it says is true of the image, not how much it says.")),
            scale=_scale(_("Incorrect"), _("Mostly incorrect"), _("Partly correct"), _("Mostly correct"), _("Correct")),
            raters_per_task=ORDINAL_RATERS,
        ),
    ),
    Preset(
        "coco-m4",
        "Amount of detail, 1 to 5 (COCO M4)",
        TaskKind.RATING,
        f"{_COCO}: M4, average amount of detail of the captions on a scale from 1 (none) to 5 (very detailed)",
        StudyDesign(
            question=_("How detailed is the caption?"),
            instructions=_join(_LOOK, _("Judge how much detail it gives of the image.")),
            scale=_scale(_("No details"), _("Few details"), _("Some details"), _("Many details"), _("Very detailed")),
            raters_per_task=ORDINAL_RATERS,
        ),
    ),
    Preset(
        "coco-m5",
        "As a person would describe it (COCO M5, salience)",
        TaskKind.RATING,
        f"{_COCO}: M5, percentage of captions that are similar to a human description",
        StudyDesign(
            question=_("Would a person describe the image in a similar way?"),
            instructions=_join(
                _LOOK,
                _(
                    "Think how you would describe the image. Answer yes if the caption names what you would name; no "
                    "if it is about something else, or leaves out what matters."
                ),
            ),
            scale=_scale(_("No"), _("Yes"), first=0.0),
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "set-diversity",
        "Diversity of caption sets, 0 to 1",
        TaskKind.SET_RATING,
        "Wang and Chan, Describing like Humans: on Diversity in Image Captioning, CVPR 2019: human evaluation",
        StudyDesign(
            question=_("How diverse is each set of captions?"),
            instructions=_(
                "All sets of captions were written for the same image. Read all of them, then give each set a value "
                "from 0 (its captions all say the same) to 1 (its captions all differ)."
            ),
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "pascal-50s",
        "Closer to a reference: which of two (PASCAL-50S)",
        TaskKind.PAIRWISE,
        "Vedantam, Zitnick and Parikh, CIDEr: Consensus-based Image Description Evaluation, CVPR 2015: triplets",
        StudyDesign(
            question=_("Which caption is more similar to the reference?"),
            instructions=_(
                "You see a reference caption and two others; the image itself is not shown. Choose the one that is "
                "more similar in meaning to the reference."
            ),
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "slider-quality",
        "Quality on a slider, 0 to 100",
        TaskKind.RATING,
        "Our own design, based on the direct assessment of Graham, Baldwin, Moffat and Zobel, Continuous "
        "Measurement Scales in Human Evaluation of Machine Translation, Linguistic Annotation Workshop 2013",
        StudyDesign(
            question=_("How well does the caption describe the image?"),
            instructions=_join(_LOOK, _("Use the whole line, and the same standard for all captions.")),
            slider=Slider(low_label=_("not at all"), high_label=_("perfectly")),
            raters_per_task=RATERS,
        ),
    ),
    Preset(
        "caption-coco",
        "Write a caption (rules of COCO)",
        TaskKind.CAPTION,
        "Chen, Fang, Lin, Vedantam, Gupta, Dollár and Zitnick, Microsoft COCO Captions: Data Collection and Evaluation "
        "Server (2015): instructions to writers",
        StudyDesign(
            question=_("Describe the image in one sentence."),
            language="en",
            instructions=_("Look at the image and describe it for somebody who cannot see it, in eight words or more."),
            raters_per_task=5,
        ),
    ),
    Preset(
        "best-worst",
        "Best and worst of several captions",
        TaskKind.BEST_WORST,
        "Louviere, Flynn and Marley, Best-Worst Scaling: Theory, Methods and Applications (2015); counting as in "
        "Kiritchenko and Mohammad, Best-Worst Scaling More Reliable than Rating Scales, ACL 2017",
        StudyDesign(
            question=_("Which caption describes the image best, and which worst?"),
            instructions=_("Look at the image and read all captions. Mark the best one and the worst one."),
            raters_per_task=RATERS,
        ),
    ),
)
PRESETS: Final[Mapping[str, Preset]] = MappingProxyType({preset.name: preset for preset in _ALL})
"""All presets by name."""

_FIRST: Final[Mapping[TaskKind, Preset]] = MappingProxyType({preset.kind: preset for preset in reversed(_ALL)})


def start_design(kind: TaskKind) -> StudyDesign:
    """Return the initial design of a kind: the question and the number of raters of its first preset."""
    first = _FIRST[kind].design
    return StudyDesign(question=first.question, raters_per_task=first.raters_per_task)


def fit_question(design: StudyDesign, *, has_anchors: bool) -> StudyDesign:
    """Return the design with the question of `pascal-50s` if pairs are compared with a reference, not with the image.

    Only the question that a design of pairs starts with is replaced.
    """
    if has_anchors and design == start_design(TaskKind.PAIRWISE):
        return replace(design, question=PRESETS["pascal-50s"].design.question)
    return design
