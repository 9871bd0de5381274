"""Tests that a bundle reproduces its tables byte for byte, and that incomplete ones are rejected."""

import json
import zipfile
from datetime import timedelta

import pytest

from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.collection.lifecycle import open_study
from studies.datasets.external_scores import store_scores
from studies.enums import RaterOutcome, StudyState, TaskKind
from studies.models import (
    AuditEntry,
    Dataset,
    FrozenReport,
    Judgment,
    Rater,
    Run,
    ScoreChunk,
    ScoringInput,
    Study,
    StudyVersion,
)
from studies.monitoring.exclusion import exclude_rater
from studies.publishing.bundles.archive import read_archive, write_archive
from studies.publishing.bundles.errors import BundleRefused, TablesDiffer
from studies.publishing.bundles.making import make_bundle
from studies.publishing.bundles.rebuilding import rebuild_bundle, write_tables
from studies.publishing.bundles.tables import print_tables
from studies.publishing.freezing import UnknownReport, load_report
from studies.publishing.report_jobs import ReportChoices, keep_report
from studies.scoring.chunks import pack, unpack_scores
from studies.scoring.study_scoring import ScoringOptions, score_study
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.rated import make_rated_study, make_voted_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db
CHOICES = ReportChoices(method="percentile", clusters=("images",), test="perm-both", resamples=20, seed=3)
LATER = NOW + timedelta(days=1)


def freeze(study, choices=CHOICES, now=NOW):
    gathered = gather_observations(study)
    chosen = choices.choose_inference(gathered.study, gathered.protocol, n_metrics=len(gathered.metrics))
    report = report_observations(
        gathered,
        interval=chosen.interval,
        comparison=chosen.comparison,
        seed=choices.seed,
    )
    return keep_report(gathered, report, now=now)


@pytest.fixture
def bundle(tmp_path):
    """The bundle of a report on a study with an excluded rater, and one who withdrew and let judgments stay."""
    study = make_rated_study(n_raters=5)
    exclude_rater(study.raters.get(pseudonym="rater-3"), reason="3 of 4 checks failed", rule="failed_checks", now=NOW)
    Rater.objects.filter(pseudonym="rater-1").update(outcome=RaterOutcome.WITHDRAWN, finished_at=NOW)
    Rater.objects.filter(pseudonym="rater-0").update(identity_hash="the-keyed-hash-of-somebody")
    Judgment.objects.filter(rater__pseudonym="rater-1").update(answer={"comment": "my name is Ann"})
    Judgment.objects.filter(rater__pseudonym="rater-0").update(answer={"choice": "3"})
    version = StudyVersion.objects.get(study=study)
    version.design["panel"] = {**version.design["panel"], "codes": {"finished": "SECRETCODE"}}
    version.save()
    freeze(study)
    path = tmp_path / "bundle.zip"
    make_bundle(study, 1, path=path)
    return path


def count_rows():
    return [model.objects.count() for model in (Dataset, Study, Judgment, ScoringInput, Run, FrozenReport)]


def test_surplus_judgments_stay_so_in_a_bundle(tmp_path):
    study = make_rated_study()
    Judgment.objects.filter(rater=study.raters.first()).update(surplus_since=NOW)
    frozen = freeze(study)
    make_bundle(study, 1, path=tmp_path / "bundle.zip")

    rebuilt = rebuild_bundle(tmp_path / "bundle.zip", now=LATER)

    # Had the mark been lost on the way, the tables would differ.
    assert rebuilt.tables["report/report.json"].decode() == frozen.content


@pytest.mark.parametrize("make", [make_rated_study, make_voted_study])
def test_tables_of_a_bundle_are_made_again(make, tmp_path):
    study = make()
    frozen = freeze(study)
    make_bundle(study, 1, path=tmp_path / "bundle.zip")
    before = count_rows()

    rebuilt = rebuild_bundle(tmp_path / "bundle.zip", now=LATER)

    assert rebuilt.tables == print_tables(load_report(study, 1)[1])
    assert rebuilt.tables["report/report.json"].decode() == frozen.content
    assert (rebuilt.study, rebuilt.number) == (study.name, 1)
    assert count_rows() == before


def test_scores_by_other_parameters_that_came_later_are_not_taken(tmp_path):
    study = make_rated_study()
    score_study(study, now=lambda: NOW, metrics=["cider-d"])
    frozen = freeze(study, ReportChoices())
    make_bundle(study, 1, path=tmp_path / "before.zip")
    # Newer scores of the same metric on the same captions, which the study now uses.
    score_study(study, now=lambda: LATER, metrics=["cider-d"], options=ScoringOptions(params={"cider-d": {"n": 1}}))
    used = {run.metric: run.signature for run in (each.run for each in gather_observations(study).metrics)}

    make_bundle(study, 1, path=tmp_path / "after.zip")
    rebuilt = rebuild_bundle(tmp_path / "after.zip", now=LATER)

    (kept,) = [each for each in json.loads(frozen.content)["metrics"] if each["id"] == "cider-d"]
    assert Run.objects.filter(metric="cider-d").count() == 2
    assert kept["signature"] != used["cider-d"]
    assert (tmp_path / "after.zip").read_bytes() == (tmp_path / "before.zip").read_bytes()
    assert rebuilt.tables["report/report.json"].decode() == frozen.content


def test_the_same_content_gives_the_same_bytes(tmp_path):
    study = make_rated_study()
    freeze(study)

    digests = [make_bundle(study, 1, path=tmp_path / name) for name in ("one.zip", "two.zip")]

    assert digests[0] == digests[1]
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_nothing_of_a_person_is_in_a_bundle(bundle):
    _, files = read_archive(bundle)

    whole = b"\n".join(files.values())
    for secret in (b"the-keyed-hash-of-somebody", b"my name is Ann", b"SECRETCODE", b"identity"):
        assert secret not in whole
    judgments = [json.loads(line) for line in files["judgments.jsonl"].splitlines()]
    assert len(judgments) == 5 * 12
    assert {each["rater"] for each in judgments if "answer" in each} == {"rater-0"}
    assert json.loads(files["exclusions.jsonl"]) == {
        "rater": "rater-3",
        "rule": "failed_checks",
        "reason": "3 of 4 checks failed",
        "decided_at": NOW.isoformat(),
        "lifted_at": None,
    }


def test_seed_of_a_bundle_is_that_of_the_closed_study_alone(tmp_path):
    study = make_rated_study()
    frozen = {"state": StudyState.CLOSED, "started_at": NOW}
    Study.objects.filter(pk=study.pk).update(seed="told-to-everybody", **frozen)
    study.refresh_from_db()
    freeze(study)
    make_bundle(study, 1, path=tmp_path / "bundle.zip")
    rebuild_bundle(tmp_path / "bundle.zip", now=LATER, keep="again")
    kept = Study.objects.get(name="again")
    assert (kept.state, kept.seed) == (StudyState.CLOSED, "told-to-everybody")

    open_study(kept, now=LATER)

    kept.refresh_from_db()
    assert kept.seed != "told-to-everybody"
    assert len(kept.seed) == 32


def test_rebuild_keeps_the_study_under_another_name(bundle):
    rebuild_bundle(bundle, now=LATER, keep="again")

    kept = Study.objects.get(name="again")
    source = Study.objects.get(name="rated")
    assert (kept.state, kept.kind, kept.protocol) == (StudyState.CLOSED, source.kind, source.protocol)
    entries = AuditEntry.objects.filter(study=kept).order_by("pk").values_list("action", "interface")
    assert list(entries) == [("rebuilt", "command"), ("reported", "command")]
    frozen, report = load_report(kept, 1)
    first, original = load_report(source, 1)
    assert (report, frozen.content, frozen.data_digest, frozen.facts) == (
        original,
        first.content,
        first.data_digest,
        first.facts,
    )
    fields = ("item__key", "item__candidate__key", "rater__pseudonym", "value")
    rows = [
        list(Judgment.objects.filter(rater__study=study).order_by("pk").values_list(*fields))
        for study in (source, kept)
    ]
    assert rows[0] == rows[1]
    # What was rebuilt can be bundled and rebuilt again.
    make_bundle(kept, 1, path=bundle.parent / "second.zip")
    assert rebuild_bundle(bundle.parent / "second.zip", now=LATER).tables == print_tables(original)


@pytest.mark.parametrize("kind", [TaskKind.SET_RATING, TaskKind.BEST_WORST])
def test_other_kinds_come_back(kind, tmp_path):
    study = make_open_study("kinds", kind=kind, n_tasks=4)
    Study.objects.filter(pk=study.pk).update(
        protocol="custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson", title="Of another kind"
    )
    study.refresh_from_db()
    for number in range(2):
        rater = make_rater(study, f"rater-{number}")
        for place, item in enumerate(list_items(study)):
            make_judgment(item, rater, float((place + number) % 3))
    score_study(study, now=lambda: NOW, metrics=["mbleu-mix", "div-1"] if kind == TaskKind.SET_RATING else ["length"])
    frozen = freeze(study, ReportChoices(seed=1))
    make_bundle(study, 1, path=tmp_path / "bundle.zip")

    rebuilt = rebuild_bundle(tmp_path / "bundle.zip", now=LATER)

    assert rebuilt.tables["report/report.json"].decode() == frozen.content


def test_a_taken_name_is_refused_and_nothing_written(bundle):
    before = count_rows()

    with pytest.raises(BundleRefused, match="a study or dataset 'rated' already exists"):
        rebuild_bundle(bundle, now=LATER, keep="rated")
    with pytest.raises(BundleRefused, match="letters, digits, hyphens and underscores only, got 'a b'"):
        rebuild_bundle(bundle, now=LATER, keep="a b")

    assert count_rows() == before


def test_a_report_whose_judgments_changed_has_no_bundle_any_more(tmp_path):
    study = make_rated_study()
    freeze(study)
    exclude_rater(study.raters.first(), reason="too fast", now=LATER)

    message = r"the judgments or scores have changed since report 1 \(a rater was excluded\); freeze a new"
    with pytest.raises(BundleRefused, match=message):
        make_bundle(study, 1, path=tmp_path / "bundle.zip")
    with pytest.raises(UnknownReport, match=r"no report 2 \(known: 1\)"):
        make_bundle(study, 2, path=tmp_path / "bundle.zip")
    assert list(tmp_path.iterdir()) == []


def rewrite(path, change):
    """Change the files of a bundle, with a manifest that agrees with them."""
    manifest, files = read_archive(path)
    change(files)
    about = {name: value for name, value in manifest.items() if name not in ("files", "format")}
    write_archive(files, about=about, path=path)


def edit(name, old, new):
    def change(files):
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)

    return change


TAMPERED = {
    "a value": (
        edit("judgments.jsonl", b'"value":1.0', b'"value":4.0'),
        "the judgments or scores in the bundle are not those behind its report",
    ),
    "a line": (
        edit("judgments.jsonl", b'"value":', b'"value"'),
        "judgments.jsonl, line 1: is not valid in a bundle",
    ),
    "not a number": (edit("judgments.jsonl", b"1.0", b"NaN"), r"judgments.jsonl, line \d+: .*NaN is not a JSON number"),
    "an unknown image": (edit("items.jsonl", b"image-0", b"image-x"), r"items.jsonl, line 1: .*'image-x'"),
    "an unknown rater": (edit("raters.jsonl", b"rater-0", b"rater-x"), r"judgments.jsonl, line 1: .*'rater-0'"),
    "a judgment twice": (
        lambda files: files.update({"judgments.jsonl": files["judgments.jsonl"] * 2}),
        "judgments.jsonl: was rejected by the database",
    ),
    "no array": (
        lambda files: files.update({"scores/01-001.npy": b"no array"}),
        "scores/01-001.npy is not a NumPy file",
    ),
    "no report": (lambda files: files.pop("report/report.json"), "the bundle has no report/report.json"),
    "no study": (edit("study.json", b'"kind"', b'"kin"'), "study.json: has missing or unknown fields: 'kind'"),
    "no number of raters": (
        edit("versions.jsonl", b'"raters_per_task":', b'"raters_per_task":"a few","tasks_per_rater":'),
        "versions.jsonl, line 1: .*field raters_per_task: must be a whole number, got 'a few'",
    ),
    "another kind": (edit("study.json", b'"rating"', b'"rat"'), "study.json: is not valid in a bundle"),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_bundle_that_was_changed_is_refused_and_nothing_written(bundle, case):
    change, message = TAMPERED[case]
    rewrite(bundle, change)
    Study.objects.filter(name="rated").update(name="original")
    before = count_rows()

    with pytest.raises(BundleRefused, match=message):
        rebuild_bundle(bundle, now=LATER, keep="again")

    assert count_rows() == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("report/report.json", b'"n": 36', b'"n": 37'),
        ("report/values.csv", b"length", b"height"),
        ("report/table.md", b"**rated**", b"**raked**"),
        ("report/table.tex", b"\\toprule", b"\\hrule"),
    ],
)
def test_a_table_that_comes_out_otherwise_is_named(tmp_path, name, old, new):
    study = make_rated_study()
    freeze(study)
    path = tmp_path / "bundle.zip"
    make_bundle(study, 1, path=path)
    rewrite(path, edit(name, old, new))
    before = count_rows()

    with pytest.raises(TablesDiffer, match=rf"^{name} differs at line \d+: .*{new.decode().strip('*')[-4:]}"):
        rebuild_bundle(path, now=LATER, keep="again")

    assert count_rows() == before


def test_versions_that_differ_are_said(tmp_path):
    study = make_rated_study()
    freeze(study)
    path = tmp_path / "bundle.zip"
    make_bundle(study, 1, path=path)

    def change(files):
        files["report/values.csv"] += b"\n"
        files["environment.json"] = b'{"numpy": "1.0"}'

    rewrite(path, change)
    with pytest.raises(TablesDiffer, match=r"report/values.csv differs in length .*numpy 1\.0 there, "):
        rebuild_bundle(path, now=LATER)


def test_a_run_with_other_scores_here_is_not_written_over(bundle):
    chunk = ScoreChunk.objects.filter(run__metric="length").first()
    chunk.values = pack(unpack_scores(chunk.run) + 1)
    chunk.save()

    with pytest.raises(
        BundleRefused, match=r"scores of length\|tok:ptb\|v:1 on the same captions differ from those stored here"
    ):
        rebuild_bundle(bundle, now=LATER)


def test_tables_are_written_into_a_folder(bundle, tmp_path):
    rebuilt = rebuild_bundle(bundle, now=LATER)

    written = write_tables(rebuilt, tmp_path / "new" / "tables")

    assert [path.name for path in written] == [
        "report.json",
        "values.csv",
        "differences.csv",
        "table.md",
        "table.tex",
    ]
    assert [path.read_bytes() for path in written] == list(rebuilt.tables.values())


def test_scores_from_outside_are_in_the_bundle(tmp_path):
    study = make_rated_study(n_raters=3)
    pks = list(study.dataset.candidates.order_by("pk").values_list("pk", flat=True))
    values = {pk: float(number % 5) for number, pk in enumerate(pks)}
    store_scores(study.dataset, name="theirs", values=values, source="t.csv", higher_is_better=False, now=NOW)
    freeze(study)
    path = tmp_path / "external.zip"
    make_bundle(study, 1, path=path)

    rebuilt = rebuild_bundle(path, now=LATER, keep="again")

    assert rebuilt.tables == print_tables(load_report(study, 1)[1])
    assert any(b"external:theirs" in content for content in rebuilt.tables.values())
    run = Run.objects.filter(metric="external:theirs").order_by("pk").last()
    assert (run.higher_is_better, unpack_scores(run).tolist()) == (False, [values[pk] for pk in pks])
