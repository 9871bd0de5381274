"""A study judged by several raters, with two metrics of which one agrees better with them."""

import numpy as np

from studies.enums import TaskKind
from studies.models import Candidate
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_judgments, make_rater, make_study
from tests.studies.scored import METRICS, list_items, write_captions

EACH = "custom@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-c"


def make_rated_study(name="rated", *, n_items=12, n_raters=3, are_placeholders=False, protocol=EACH, score=True):
    """Make a study in which raters like long captions, each with a noise of one step at most (seed 1).

    `length` is the better metric; `rouge-l` finds 0 to 2 words of the reference, whatever the length.
    """
    study = make_study(name, n_tasks=n_items, protocol=protocol)
    captions = Candidate.objects.filter(dataset=study.dataset).order_by("image__pk", "key")
    steps = [number // 2 for number in range(len(captions))]
    texts = [" ".join(["word"] * (2 + step % 4) + ["reference", "image"][: step % 3]) for step in steps]
    write_captions(captions, texts=texts)
    judge_by_length(study, n_raters=n_raters, is_placeholder=are_placeholders)
    if score:
        score_study(study, now=lambda: NOW, metrics=METRICS)
    return study


def judge_by_length(study, *, n_raters, is_placeholder=False):
    """Let raters judge every rated candidate from 1 to 4 by the number of its words, give or take one."""
    noise = np.random.default_rng(1)
    n_words = {item: len(item.candidate.text.split()) for item in list_items(study)}
    raters = [make_rater(study, f"rater-{number}", is_placeholder=is_placeholder) for number in range(n_raters)]
    make_judgments(
        (item, rater, min(4, max(1, n - 2 + int(noise.integers(-1, 2)))))
        for rater in raters
        for item, n in n_words.items()
    )


def make_voted_study(name="voted", *, n_items=12, n_raters=3, are_placeholders=False, protocol=None, score=True):
    """Make a study of pairs: the first caption is the longer one in every other pair, raters mostly choose it."""
    pairs = "custom@1|rows:all|refs:all|ratings:majority|level:pair|coef:accuracy+pearson|ties:half"
    study = make_study(name, kind=TaskKind.PAIRWISE, n_tasks=n_items, protocol=protocol or pairs)
    noise = np.random.default_rng(2)
    raters = [make_rater(study, f"rater-{number}", is_placeholder=are_placeholders) for number in range(n_raters)]
    captions, judgments = [], []
    for place, item in enumerate(list_items(study)):
        words = ["word", "word", "image", "reference"]
        long, short = (item.candidate, item.other_candidate)[:: 1 if place % 2 else -1]
        for candidate, text in ((long, words[place % 2 :]), (short, words[-1 - place % 3 // 2 :])):
            candidate.text = " ".join(text)
            captions.append(candidate)
        for rater in raters:
            liked = 1 if place % 2 else -1
            judgments.append((item, rater, float(liked if noise.random() < 0.8 else -liked)))
    Candidate.objects.bulk_update(captions, ["text"])
    make_judgments(judgments)
    if score:
        score_study(study, now=lambda: NOW, metrics=METRICS)
    return study
