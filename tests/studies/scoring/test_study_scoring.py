import re
from datetime import timedelta
from typing import ClassVar

import numpy as np
import pytest

from correlation.protocols.reading import ProtocolUnknown
from metrics_plugins.api import (
    Batch,
    BuildContext,
    DecomposableMetric,
    FitsOn,
    Fittable,
    Level,
    Metric,
    MetricInfo,
    Scores,
)
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import load_registry as load
from studies.access.audit import COMMAND_LINE
from studies.enums import TaskKind
from studies.models import AuditEntry, Image, Reference, Run, ScoreChunk, ScoringInput, Study
from studies.scoring.chunks import unpack_scores
from studies.scoring.references import ReferenceSelection
from studies.scoring.study_scoring import ScoringOptions, plan_inputs, score_study
from tests.factories.studies import NOW, make_study
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin, Rarity, Recall, Variety, Words, make_info
from tests.metrics_plugins.metrics.critics.lstm.tiny import train
from tests.metrics_plugins.runtime.test_executors import Fails, FoundMissing, OutOfBounds
from tests.studies.scoring.rows import make_reference_set, make_rows

SMALL = ScoringOptions(chunk_size=2)


class Unfit(Fittable):
    """Cannot learn."""

    info: ClassVar[MetricInfo] = make_info("unfit", fits_on=FitsOn.REFERENCES)

    def fit(self, batch: Batch, targets: np.ndarray | None, rng: np.random.Generator) -> Metric:
        raise KeyError("word")


class Rooted(Metric):
    """Cannot travel to another process."""

    info: ClassVar[MetricInfo] = make_info("rooted")

    def __init__(self) -> None:
        self.function = lambda: None

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [0.0] * len(batch))


class Unbuilt(Words):
    """Lacks its weights."""

    info: ClassVar[MetricInfo] = make_info("unbuilt")

    @classmethod
    def build(cls, context: BuildContext) -> "Unbuilt":
        raise FileNotFoundError("weights.pt")


class Uninstalled(Words):
    """Finds out when it is built that a package is not there."""

    info: ClassVar[MetricInfo] = make_info("uninstalled")

    @classmethod
    def build(cls, context: BuildContext) -> "Uninstalled":
        raise MissingResource("pip install parser")


class Unsigned(Words):
    """Describes itself with what a signature cannot hold."""

    info: ClassVar[MetricInfo] = make_info("unsigned")

    def describe(self) -> dict[str, str]:
        return {"path": "one|two"}


class Wordy(Words):
    """Describes itself at too great length."""

    info: ClassVar[MetricInfo] = make_info("wordy")

    def describe(self) -> dict[str, str]:
        return {"prompt": "x" * 500}


class LearnedRecall(Fittable):
    """Recall, fitted on nothing in particular: a metric that is both fitted and decomposable."""

    info: ClassVar[MetricInfo] = make_info("learned", inputs=Recall.info.inputs, fits_on=FitsOn.REFERENCES)

    def fit(self, batch: Batch, targets: np.ndarray | None, rng: np.random.Generator) -> Metric:
        return FittedRecall()


class FittedRecall(Recall):
    info: ClassVar[MetricInfo] = LearnedRecall.info


def registry_of(*classes):
    return load([ExamplePlugin(*classes)], blocked=INSTALLED_PLUGINS)


def run(study, *classes, **arguments):
    arguments = {"options": SMALL} | arguments
    return score_study(study, now=lambda: NOW, registry=registry_of(*classes), **arguments)


def get_scores(metric):
    return unpack_scores(Run.objects.get(metric=metric)).tolist()


pytestmark = pytest.mark.django_db


def test_scores_chunks_and_the_table_of_systems():
    # composite@1 leaves the caption out of its own row, so the first references are "the  dog barks", "a dog runs",
    # twice "a cat sleeps" and "a cat", and twice "blue water".
    report = run(make_rows(), Words, Recall)

    (scored,) = report.inputs
    assert (scored.level, scored.references) == ("segment", "exclude-candidate-per-row")
    assert (scored.n_rows, report.failures) == (6, ())
    assert [(each.metric, each.n_chunks, each.n_computed) for each in scored.metrics] == [
        ("recall", 3, 3),
        ("words", 3, 3),
    ]
    assert get_scores("words") == [3, 2, 3, 3, 2, 1]
    assert get_scores("recall") == [1 / 3, 2 / 3, 1 / 3, 1, 0, 1 / 2]
    # Recall is (1 + 1 + 0) / (3 + 3 + 2) of `first` and (2 + 2 + 1) / (3 + 2 + 2) of `second`; words are a mean.
    assert scored.systems.metrics == ("recall", "words")
    assert scored.systems.rows == (("first", (2 / 8, 8 / 3)), ("second", (5 / 7, 2.0)))


def test_a_run_says_how_its_scores_were_made():
    run(make_rows(), Words)

    made = Run.objects.get()
    assert (made.signature, made.plugin, made.device, made.dtype) == ("words|v:1", "examples", "cpu", "float64")
    assert (made.n_rows, made.chunk_size, made.higher_is_better) == (6, 2, True)
    assert made.input_digest == ScoringInput.objects.get().digest
    assert made.versions["numpy"] == np.__version__
    assert (made.started_at, made.finished_at) == (NOW, NOW)
    assert made.seconds > 0


def test_a_second_time_computes_nothing():
    study = make_rows()
    first = run(study, Words, Recall, Rarity)
    chunks = list(ScoreChunk.objects.order_by("pk").values())

    second = run(study, Words, Recall, Rarity)

    assert (first.n_computed, second.n_computed) == (9, 0)
    assert second.inputs[0].systems == first.inputs[0].systems
    assert list(ScoreChunk.objects.order_by("pk").values()) == chunks


def test_only_missing_chunks_are_computed_with_the_chunk_size_of_the_run():
    study = make_rows()
    run(study, Words, Recall)
    before = get_scores("recall")
    ScoreChunk.objects.filter(run__metric="recall", index=1).delete()
    Run.objects.filter(metric="recall").update(finished_at=None)

    report = run(study, Words, Recall, Rarity, options=ScoringOptions(chunk_size=4))

    computed = {each.metric: (each.n_chunks, each.n_computed) for each in report.inputs[0].metrics}
    assert computed == {"rarity": (2, 2), "recall": (3, 1), "words": (3, 0)}
    assert get_scores("recall") == before
    assert Run.objects.filter(finished_at=None).count() == 0


def test_chunks_do_not_change_the_scores_of_a_fitted_metric():
    run(make_rows("one"), Rarity, options=ScoringOptions(chunk_size=6))
    whole = get_scores("rarity")
    Run.objects.all().delete()

    run(make_rows("two"), Rarity, options=ScoringOptions(chunk_size=1, processes=2))

    assert get_scores("rarity") == whole


def test_equal_rows_of_another_dataset_are_not_scored_again():
    run(make_rows("one"), Words)

    assert run(make_rows("two"), Words).n_computed == 0


@pytest.mark.parametrize("processes", [1, 2])
def test_failing_metrics_are_named_and_lose_nobody_else(processes):
    study = make_rows()

    report = run(study, Words, Fails, OutOfBounds, Unfit, Rooted, options=ScoringOptions(2, processes))

    begins = {name: re.split(r"[:,]", reason)[0] for name, reason in report.failures}
    assert begins == {
        "out-of-bounds": "metric 'out-of-bounds' declares bounds [0.0",
        "unfit": "KeyError",
        "rooted": "AttributeError",
    }
    assert [each.metric for each in report.inputs[0].metrics] == ["fails", "words"]
    assert get_scores("words") == [3, 2, 3, 3, 2, 1]


def test_metrics_that_cannot_be_built_or_signed_lose_nobody_else():
    report = run(make_rows(), Words, Unbuilt, Unsigned, Wordy)

    assert {name: reason.partition("\n")[0] for name, reason in report.failures} == {
        "unbuilt": "FileNotFoundError: weights.pt",
        "unsigned": "ValueError: signature field of 'unsigned' must not hold '|' or ':', got 'path': 'one|two'",
        "wordy": "its signature may have at most 500 characters, got 517",
    }
    assert [each.metric for each in report.inputs[0].metrics] == ["words"]


@pytest.mark.parametrize("processes", [1, 2])
def test_metrics_that_lack_what_is_not_installed_are_left_out_and_not_failures(processes):
    report = run(make_rows(), Words, Uninstalled, FoundMissing, options=ScoringOptions(2, processes))

    assert report.failures == ()
    assert dict(report.left_out) == {
        "uninstalled": "needs packages that are not installed: pip install parser",
        "found-missing": "needs packages that are not installed: pip install words",
    }
    assert [each.metric for each in report.inputs[0].metrics] == ["words"]


def test_a_metric_asked_for_by_name_that_lacks_something_has_failed():
    report = run(make_rows(), Words, Uninstalled, FoundMissing, metrics=["uninstalled", "found-missing"])

    assert report.left_out == ()
    assert set(report.failures) == {("uninstalled", "pip install parser"), ("found-missing", "pip install words")}


def test_a_failing_metric_asked_for_by_name_says_why():
    report = run(make_rows(), Words, Variety, metrics=["words"])
    assert report.failures == ()

    bare = make_rows("bare")
    Reference.objects.filter(image__dataset=bare.dataset).delete()
    report = run(bare, Recall, metrics=["recall"])
    assert report.failures == (("recall", "needs references, which the dataset does not have for every row"),)


def test_a_fitted_metric_that_decomposes_is_reduced_for_systems_also_the_second_time():
    study = make_rows()
    first = run(study, LearnedRecall)

    second = run(study, LearnedRecall)

    assert first.inputs[0].systems.rows == (("first", (2 / 8,)), ("second", (5 / 7,)))
    assert (second.n_computed, second.inputs[0].systems) == (0, first.inputs[0].systems)
    assert issubclass(FittedRecall, DecomposableMetric)


def make_sibling(study, name, *, protocol, kind=TaskKind.RATING):
    return Study.objects.create(
        dataset=study.dataset, name=name, title=name, kind=kind, protocol=protocol, created_at=NOW
    )


def test_inputs_include_all_studies_of_the_dataset():
    study = make_rows(protocol="flickr8k-expert@1")
    make_sibling(study, "pairs", protocol="pascal-50s@1", kind=TaskKind.PAIRWISE)
    make_sibling(study, "direct", protocol="spice-u-pascal@1", kind=TaskKind.PAIRWISE)
    make_sibling(study, "sets", protocol="diversity@1", kind=TaskKind.SET_RATING)
    make_sibling(study, "own", protocol="custom@1")

    assert plan_inputs(study) == [
        (Level.SEGMENT, ReferenceSelection("all")),
        (Level.SEGMENT, ReferenceSelection("set", name="shipped")),
        (Level.SET, ReferenceSelection("all")),
    ]
    assert plan_inputs(study, protocol="flickr8k-cf") == [
        (Level.SEGMENT, ReferenceSelection("exclude-candidates-per-image"))
    ]
    assert plan_inputs(study, protocol_options=["references=draw-2x1"]) == [
        (Level.SEGMENT, ReferenceSelection("draw", size=1, draw=draw)) for draw in range(2)
    ]


def test_each_level_is_scored_by_its_metrics():
    study = make_rows()
    make_sibling(study, "sets", protocol="diversity@1", kind=TaskKind.SET_RATING)

    report = run(study, Words, Variety)

    done = [(scored.level, scored.references, [each.metric for each in scored.metrics]) for scored in report.inputs]
    assert done == [("segment", "exclude-candidate-per-row", ["words"]), ("set", "all", ["variety"])]


def test_a_corpus_is_what_metrics_of_captions_learn_from_and_part_of_what_a_run_is():
    study = make_rows()
    Study.objects.filter(pk=study.pk).update(kind=TaskKind.SET_RATING)
    study.refresh_from_db()
    corpus = Corpus(digest="0a1b", captions={"7": ("a dog runs", "the cat naps")})
    other = Corpus(digest="2c3d", captions={"7": ("nothing",)})

    def score(chosen):
        return score_study(
            study, now=lambda: NOW, registry=load(), metrics=["novelty"], options=ScoringOptions(corpus=chosen)
        )

    assert score(None).failures == (
        ("novelty", "is fitted on a corpus of captions, but none was given: --corpus FILE"),
    )
    assert [score(corpus).n_computed, score(corpus).n_computed, score(other).n_computed] == [1, 0, 1]
    first, second = Run.objects.filter(metric="novelty").order_by("pk")
    assert (first.signature, second.signature) == (
        "novelty|tok:ptb|corpus:0a1b|v:1",
        "novelty|tok:ptb|corpus:2c3d|v:1",
    )
    assert unpack_scores(first).tolist() == [0, 1, 0, 1, 1, 1]
    assert unpack_scores(second).tolist() == [1] * 6


def test_parameters_make_another_run():
    study = make_rows()

    def score(**params):
        options = ScoringOptions(params={"cider-d": params} if params else {})
        return score_study(study, now=lambda: NOW, registry=load(), metrics=["cider-d"], options=options)

    assert [score().n_computed, score(n=2).n_computed, score(n=2).n_computed, score().n_computed] == [1, 1, 0, 0]
    assert [run.signature for run in Run.objects.order_by("pk")] == [
        "cider-d|n:4|sigma:6|tok:ptb|df:references|v:1",
        "cider-d|n:2|sigma:6|tok:ptb|df:references|v:1",
    ]
    assert score(colour="red").failures == (
        ("cider-d", "metric 'cider-d' takes no parameter 'colour' (it takes: n, sigma, df, tokenizer)"),
    )


def test_device_is_told_to_metrics_and_kept(tmp_path):
    train(tmp_path)
    options = ScoringOptions(params={"critic-lstm": {"weights": str(tmp_path)}}, device="meta")

    report = score_study(
        make_rows(), now=lambda: NOW, registry=load(), metrics=["bleu-1", "critic-lstm"], options=options
    )

    # PyTorch's device without numbers: the critic has got it, and what needs no device does not mind.
    ((name, reason),) = report.failures
    assert name == "critic-lstm"
    assert "meta" in reason
    assert list(Run.objects.values_list("metric", "device")) == [("bleu-1", "meta"), ("critic-lstm", "meta")]


def test_learned_critic_scores_without_a_corpus_but_not_what_it_learned_from(tmp_path):
    train(tmp_path)
    study = make_rows()

    def score(**params):
        options = ScoringOptions(params={"critic-lstm": params})
        return score_study(study, now=lambda: NOW, registry=load(), metrics=["critic-lstm"], options=options)

    unfitted = ("critic-lstm", "is fitted on a corpus of captions, but none was given: --corpus FILE")
    assert score(vectors="random").failures == (unfitted,)
    assert score(weights=str(tmp_path)).failures == ()
    (run,) = Run.objects.filter(metric="critic-lstm")
    assert run.signature.startswith("critic-lstm|beside:reference|head:bilinear|weights:")
    assert np.isfinite(unpack_scores(run)).all()
    Image.objects.filter(key="dog").update(key="image 5")
    report = score(weights=str(tmp_path))
    # It is scored on the four captions of the other images.
    assert report.failures == ()
    assert [metric.n_unscored for each in report.inputs for metric in each.metrics] == [2]
    latest = Run.objects.filter(metric="critic-lstm").order_by("pk").last()
    assert np.isnan(unpack_scores(latest)).tolist() == [True, True, False, False, False, False]
    Image.objects.filter(key="cat").update(key="image 4")
    Image.objects.filter(key="sea").update(key="image 3")
    ((name, reason),) = score(weights=str(tmp_path)).failures
    assert name == "critic-lstm"
    assert reason.startswith("metric 'critic-lstm' learned from captions of 3 of the images")


def test_metrics_left_out_for_want_of_a_corpus_are_named():
    class Learned(Unfit):
        info: ClassVar[MetricInfo] = make_info("learned-captions", fits_on=FitsOn.CAPTIONS)

    reason = "is fitted on a corpus of captions, but none was given: --corpus FILE"

    assert run(make_rows(), Words, Learned).left_out == (("learned-captions", reason),)
    assert run(make_rows("two"), Words, Learned, metrics=["words"]).left_out == ()


def test_a_reference_set_is_one_input():
    study = make_rows(protocol="pascal-50s@1")
    make_reference_set(study.dataset, {"dog-first": (2,), "sea-second": (0,)})

    run(study, Recall)

    # The references are "a brown animal" and "blue water"; candidates outside the set have none, which Recall scores 0.
    assert get_scores("recall") == [1 / 3, 0, 0, 0, 0, 1 / 2]


def test_an_unknown_protocol_is_refused():
    with pytest.raises(ProtocolUnknown, match="protocol nobody@1: unknown protocol"):
        run(make_rows(), Words, protocol="nobody@1")


def test_a_new_time_is_asked_for_each_event():
    times = iter(NOW + timedelta(minutes=minute) for minute in range(100))

    score_study(make_rows(), now=lambda: next(times), registry=registry_of(Words), options=SMALL)

    made = Run.objects.get()
    assert made.started_at < made.finished_at


@pytest.mark.django_db
def test_who_scores_by_command_is_written_down():
    study = make_study()

    score_study(study, now=lambda: NOW, metrics=["length"])
    assert not AuditEntry.objects.exists()
    score_study(study, now=lambda: NOW, metrics=["length"], actor=COMMAND_LINE)

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.interface, entry.at) == ("scored", "command", NOW)
    assert entry.details == {"metrics": ["length"], "protocol": ""}
