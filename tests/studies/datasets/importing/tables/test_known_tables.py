"""Small files in the layouts of published data sets, with numbers worked out by hand."""

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics_plugins.runtime import load_registry
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations
from studies.models import Candidate, Dataset, Item, Judgment, Reference, ReferenceChoice, Study, System
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin
from tests.studies.datasets.importing.conftest import Import, Refuse
from tests.studies.datasets.importing.published.test_fense import Share

IMAGE = "COCO_val2014_000000000042.jpg"
OTHER = "COCO_val2014_000000000730.jpg"
ANNOTATIONS = {
    "images": [{"id": 42, "file_name": IMAGE}, {"id": 730, "file_name": OTHER}],
    "annotations": [
        {"id": 1, "image_id": 42, "caption": "a dog runs on grass"},
        {"id": 2, "image_id": 42, "caption": "A brown dog."},
        {"id": 3, "image_id": 730, "caption": "two cats"},
        {"id": 4, "image_id": 730, "caption": "a cat and a cat"},
    ],
}
SPLIT = {
    "images": [
        {
            "filename": IMAGE,
            "cocoid": 42,
            "split": "val",
            "sentences": [{"sentid": 1, "raw": "a dog runs on grass"}, {"sentid": 2, "raw": "A brown dog."}],
        },
        {
            "filename": OTHER,
            "cocoid": 730,
            "split": "val",
            "sentences": [{"sentid": 3, "raw": "two cats"}, {"sentid": 4, "raw": "a cat and a cat"}],
        },
    ]
}


def write(path: Path, content: Any) -> Path:
    """Write text, lines of objects, or JSON."""
    if path.suffix == ".jsonl":
        content = "".join(json.dumps(each) + "\n" for each in content)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def correlate(name: str, *, options: Iterable[str] = ()) -> dict[Any, Any]:
    """Score a study with `Share` and return the values by category and coefficient."""
    study = Study.objects.get(name=name)
    registry = load_registry([ExamplePlugin(Share)], blocked=INSTALLED_PLUGINS)
    score_study(study, now=lambda: NOW, registry=registry, protocol_options=list(options))
    gathered = gather_observations(study, registry=registry, protocol_options=list(options))
    return {(row.category, row.coefficient): row.value for row in correlate_observations(gathered).rows}


def test_thumb_has_three_criteria_and_no_judged_reference(run_import: Import, tmp_path: Path) -> None:
    rows = [
        {"SYS": "Human", "hyp": "a brown dog", "P": 5.0, "R": 4.0, "human_score": 4.5},
        {"SYS": "Up-Down", "hyp": "a dog runs", "P": 4.0, "R": 2.0, "human_score": 3.0},
        {"SYS": "VinVL-base", "hyp": "a cat", "P": 1.0, "R": 1.0, "human_score": 0.9},
    ]
    rows = [{**row, "seg_id": 42, "set_id": 3, "image": IMAGE, "Fl": 0, "Con": 0, "Inc": -0.1} for row in rows]
    source = write(tmp_path / "mscoco_THumB-1.0.jsonl", rows)
    lines = [{"seg_id": 42, "refs": ["a brown dog .", "a dog runs on grass", "dogs"]}, {"seg_id": 730, "refs": ["x"]}]
    references = write(tmp_path / "mscoco_references.json", "".join(json.dumps(line) + "\n" for line in lines))

    found = run_import("thumb", source=source, references=(references,))

    assert str(found).splitlines() == [
        "study thumb (thumb@1): 3 rows read; 1 image, 2 references, 3 candidates, 9 items, 1 rater, 9 judgments",
        "note: 1 reference was left out, being judged captions of Human",
    ]
    assert list(System.objects.filter(is_human=True).values_list("name", flat=True)) == ["Human"]
    assert set(Item.objects.values_list("key", "category")) >= {("row-1:total", "total"), ("row-3:R", "R")}
    # Against "a dog runs on grass": "a brown dog" has 2 of 5 words, "a dog runs" 3, "a cat" 1.
    scores = [2 / 5, 3 / 5, 1 / 5]
    expected = {
        (criterion, "pearson"): np.corrcoef(scores, human)[0, 1]
        for criterion, human in {"total": [4.5, 3.0, 0.9], "P": [5, 4, 1], "R": [4, 2, 1]}.items()
    }
    assert correlate("thumb") == pytest.approx(expected)


def test_thumb_tells_of_human_captions_that_are_no_references(run_import: Import, tmp_path: Path) -> None:
    row = {"P": 5.0, "R": 4.0, "human_score": 4.5, "SYS": "Human"}
    rows = [{**row, "hyp": "a dog", "image": IMAGE}, {**row, "hyp": "two cats", "image": OTHER}]
    source = write(tmp_path / "mscoco_THumB-1.0.jsonl", rows)

    found = run_import("thumb", source=source, references=(write(tmp_path / "coco.json", ANNOTATIONS),))

    assert found.notes[:2] == (
        "1 reference was left out, being judged captions of Human",
        "1 of 2 captions of Human were not found among the references of their images",
    )


POLARIS = """mt,refs,score,imgid
a dog,"['a dog runs', ""a man's dog""]",1.0,0001.jpg
a dog,"['a dog runs', ""a man's dog""]",0.5,0001.jpg
a cat,"['a dog runs', 'x']",0.25,0002.jpg
dogs run,"[""a dog"", 'y']",0.0,0003.jpg
"""


def test_polaris_has_lists_of_references_as_python_writes_them(run_import: Import, tmp_path: Path) -> None:
    run_import("polaris", source=write(tmp_path / "polaris_val.csv", POLARIS), study="mine")

    assert list(Reference.objects.filter(image__key="0001.jpg").values_list("text", flat=True)) == [
        "a dog runs",
        "a man's dog",
    ]
    # Each row is an item of its own, also where two show the same caption.
    assert Item.objects.count() == 4
    # Scores 2/3, 2/3, 1/3, 0; ratings 1, 1/2, 1/4, 0: five pairs of six agree and one is tied in the scores.
    values = correlate("mine")
    assert values[None, "kendall-c"] == pytest.approx(2 * 5 / (16 * 2 / 3))
    assert values[None, "pearson"] == pytest.approx(np.corrcoef([2 / 3, 2 / 3, 1 / 3, 0], [1, 0.5, 0.25, 0])[0, 1])


def test_rows_without_a_caption_or_a_rating_are_left_out_and_counted(run_import: Import, tmp_path: Path) -> None:
    source = write(tmp_path / "polaris_val.csv", POLARIS + ",\"['a']\",1.0,0004.jpg\na dog,\"['a']\",,0005.jpg\n")

    found = run_import("polaris", source=source)

    assert found.notes[0] == "2 rows were left out without an image, a caption or a rating"
    assert list(Item.objects.order_by("pk").values_list("key", flat=True)) == ["row-1", "row-2", "row-3", "row-4"]


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("nebula_test.json", ("imgid", "mt", "refs", "score")),
        ("nebula_test.jsonl", ("image", "candidate", "references", "score")),
    ],
)
def test_nebula_is_read_in_several_layouts(
    run_import: Import, tmp_path: Path, name: str, columns: tuple[str, ...]
) -> None:
    rows = [("1", "a dog", ["a dog runs"], 1.0), ("2", "a cat", ["a dog"], 0.5), ("2", "cats", ["a dog"], 0.0)]
    source = write(tmp_path / name, [dict(zip(columns, row, strict=True)) for row in rows])

    run_import("nebula", source=source)

    assert Study.objects.get().protocol == "nebula@1"
    assert correlate("nebula")[None, "kendall-c"] == pytest.approx(1.0)


def test_capeval1k_takes_references_of_rows_or_of_images(run_import: Import, tmp_path: Path) -> None:
    rows = [
        {"image_id": 42, "caption": "a dog", "rating": 5, "refs": ["a dog"]},
        {"image_id": 730, "caption": "b", "rating": 1, "refs": ["a"]},
    ]
    run_import("capeval1k", source=write(tmp_path / "capeval1k.json", rows), study="own")
    for row in rows:
        del row["refs"]
    table = write(tmp_path / "capeval1k.jsonl", rows)
    run_import("capeval1k", source=table, references=(write(tmp_path / "captions_val2014.json", ANNOTATIONS),))

    protocols = dict(Study.objects.values_list("name", "protocol"))
    assert protocols["capeval1k"] == "capeval1k@1"
    assert protocols["own"] == "capeval1k@1|rows:all|refs:set-shipped|ratings:each|level:item|coef:kendall-c+pearson"


ORIGINAL = (
    "HITId;Title;Input.image_url;Input.text1;Input.text2;Input.text3;Answer.Q1Answer;Answer.Q2Answer;Answer.Q3Answer\n"
    "1;Rate, please;http://a.org/x/one.jpg;a dog runs;a dog;the scene is outdoors;5;4;3\n"
    "2;Rate, please;http://a.org/x/two.jpg;a cat;cats;the scene is indoors;4;2;1\n"
    ";;;;;;;;\n"
)
TOKENS = "one.jpg#0\tA dog runs .\none.jpg#1\ta black dog\ntwo.jpg#0\tA cat .\ntwo.jpg#1\tthe cat\n"


def test_composite_in_its_original_files(run_import: Import, tmp_path: Path) -> None:
    source = write(tmp_path / "8k_correctness.csv", ORIGINAL)
    more = write(tmp_path / "coco_correctness.csv", ORIGINAL.replace("one.jpg", IMAGE).replace("two.jpg", OTHER))
    references = (
        write(tmp_path / "Flickr8k.token.txt", TOKENS),
        write(tmp_path / "captions_val2014.json", ANNOTATIONS),
    )

    found = run_import("composite", source=source, more_sources=(more,), references=references)

    assert str(found.studies[0]) == (
        "study composite (composite@1): 12 rows read; 4 images, 8 references, 12 candidates, 12 items, 1 rater, "
        "12 judgments"
    )
    judged = Judgment.objects.filter(item__image__key="two.jpg").order_by("pk")
    assert list(judged.values_list("item__candidate__system__name", "item__candidate__text", "value")) == [
        ("position-0", "a cat", 4.0),
        ("position-1", "cats", 2.0),
        ("position-2", "the scene is indoors", 1.0),
    ]


def test_composite_counts_captions_without_an_image_or_a_rating(run_import: Import, tmp_path: Path) -> None:
    # No image, one rating without a caption, one caption without a rating; the last row is empty.
    content = ORIGINAL.replace("http://a.org/x/two.jpg", "").replace("a dog;", ";").replace("5;4;3", "5;4;")
    source = write(tmp_path / "8k_correctness.csv", content)

    found = run_import(
        "composite", source=source, references=(write(tmp_path / "Flickr8k.token.txt", TOKENS),), study="part"
    )

    assert found.notes[0] == "5 rows were left out without an image, a caption or a rating"
    assert list(Item.objects.values_list("candidate__text", flat=True)) == ["a dog runs"]


def test_composite_in_a_folder_or_an_archive(run_import: Import, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    write(tmp_path / "files" / "8k_correctness.csv", ORIGINAL)
    write(tmp_path / "files" / "Flickr8k.token.txt", TOKENS)
    with zipfile.ZipFile(tmp_path / "composite.zip", "w") as archive:
        for name in ("8k_correctness.csv", "Flickr8k.token.txt"):
            archive.write(tmp_path / "files" / name, f"composite/{name}")

    run_import("composite", source=tmp_path / "files")
    run_import("composite", source=tmp_path / "composite.zip", study="packed")
    run_import(
        "composite",
        source=Path(f"{tmp_path}/composite.zip!8k_correctness.csv"),
        references=(Path(f"{tmp_path}/composite.zip!composite/Flickr8k.token.txt"),),
        study="members",
    )

    # The caption itself is left out of its own row: "a dog runs" is compared with "a black dog" (2 of 3 words),
    # the others with "A dog runs ." first (1 and 0 of 4 words); "a cat" with "the cat" (1 of 2), the others 0.
    study = Study.objects.get(name="composite")
    registry = load_registry([ExamplePlugin(Share)], blocked=INSTALLED_PLUGINS)
    score_study(study, now=lambda: NOW, registry=registry)
    scores = gather_observations(study, registry=registry).metrics[0].scores[0]
    assert scores[:, 0].tolist() == pytest.approx([2 / 3, 1 / 4, 0, 1 / 2, 0, 0])
    assert [Candidate.objects.filter(dataset__name=name).count() for name in ("packed", "members")] == [6, 6]


FOIL = {
    "images": [{"id": 42, "file_name": IMAGE}],
    "annotations": [
        {"id": 1, "foil_id": 9, "image_id": 42, "caption": "a dog runs on grass", "foil": False, "foil_word": "ORIG"},
        {"id": 1, "foil_id": 10, "image_id": 42, "caption": "a cat runs on grass", "foil": True, "foil_word": "cat"},
        {"id": 1, "foil_id": 11, "image_id": 42, "caption": "a brown cow", "foil": True, "foil_word": "cow"},
    ],
}


def test_foil_compares_with_the_other_captions_of_the_image(run_import: Import, tmp_path: Path) -> None:
    annotations = {**ANNOTATIONS, "annotations": [{"id": 5, "image_id": 42, "caption": "a dog"}]}
    annotations["annotations"] += ANNOTATIONS["annotations"]
    references = write(tmp_path / "captions_val2014.json", annotations)

    found = run_import("foil", source=write(tmp_path / "foilv1.0_test_2017.json", FOIL), references=(references,))

    assert str(found).splitlines()[0] == (
        "study foil (foil@1): 2 rows read; 1 image, 2 references, 4 candidates, 2 items, 1 rater, 2 judgments"
    )
    assert list(ReferenceChoice.objects.filter(candidate__key="row-1").values_list("reference__text", flat=True)) == [
        "a dog",
        "A brown dog.",
        "a dog",
    ]
    # Against "a dog": the original has 2 of 2 words, "a cat runs on grass" 1, "a brown cow" 1.
    assert correlate("foil") == {(None, "accuracy"): 1.0}
    assert correlate("foil", options=["references=set-first"]) == {(None, "accuracy"): 1.0}


def test_foil_takes_an_image_from_the_first_file_and_digests_all(run_import: Import, tmp_path: Path) -> None:
    folder = tmp_path / "foil"
    folder.mkdir()
    source = write(folder / "foilv1.0_test_2017.json", FOIL)
    write(folder / "captions_val2014.json", ANNOTATIONS)
    other = write(folder / "dataset_coco.json", SPLIT)

    found = run_import("foil", source=folder)
    run_import("foil", source=source, references=(other,), study="other")

    assert ReferenceChoice.objects.filter(candidate__key="row-1", reference_set__dataset__name="foil").count() == 2
    rule = "skipped, because an earlier file has their references"
    assert f"dataset_coco.json: 2 images were {rule}" in found.notes
    assert len(set(Dataset.objects.values_list("source_digest", flat=True))) == 2


SITS = f"""caption,image,agg_score,sampling_method
COCO_val2014:sentid:1,{IMAGE},5.0,c2i_original
COCO_val2014:sentid:1,{OTHER},0.5,c2i_intrasim
COCO_val2014:sentid:4,{IMAGE},1.25,c2i_intrasim
COCO_val2014:sentid:4,{OTHER},4.0,c2i_original
"""


@pytest.mark.parametrize(("name", "content"), [("dataset_coco.json", SPLIT), ("captions_val2014.json", ANNOTATIONS)])
def test_crisscrossed_names_captions_by_id(run_import: Import, tmp_path: Path, name: str, content: Any) -> None:
    source = write(tmp_path / "sits_val.csv", SITS)

    run_import("crisscrossed", source=source, references=(write(tmp_path / name, content),))

    items = Item.objects.order_by("pk").values_list("key", "image__key", "candidate__text", "category")
    assert list(items)[:2] == [
        ("1:42:c2i_original", IMAGE, "a dog runs on grass", "c2i_original"),
        ("1:730:c2i_intrasim", OTHER, "a dog runs on grass", "c2i_intrasim"),
    ]
    # The caption itself is left out: 2 of "A brown dog." has 0 of 3 words ("dog." is another word), "two cats" 0 of 2,
    # "a dog runs on grass" 1 of 5 ("a"), "two cats" 0 of 2.
    study = Study.objects.get()
    registry = load_registry([ExamplePlugin(Share)], blocked=INSTALLED_PLUGINS)
    score_study(study, now=lambda: NOW, registry=registry)
    scores = gather_observations(study, registry=registry).metrics[0].scores[0][:, 0]
    assert scores.tolist() == pytest.approx([0, 0, 1 / 5, 0])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "results.csv",
            "image_name| comment_number| comment\n"
            'one.jpg| 0| Two dogs , "running" .\none.jpg| 1   A dog runs .\ntwo.jpg| 0| A cat .\n',
        ),
        ("captions.txt", 'image,caption\none.jpg,"Two dogs , ""running"" ."\none.jpg,A dog runs .\ntwo.jpg,A cat .\n'),
        (
            "flickr_annotations_30k.csv",
            "raw,sentids,split,filename,img_id\n"
            '"[""Two dogs , \\""running\\"" ."", ""A dog runs .""]","[0, 1]",train,one.jpg,0\n'
            '"[""A cat .""]",[2],train,two.jpg,1\n',
        ),
        (
            "dataset_flickr30k.json",
            {
                "images": [
                    {"filename": "one.jpg", "sentences": [{"raw": 'Two dogs , "running" .'}, {"raw": "A dog runs ."}]},
                    {"filename": "two.jpg", "sentences": [{"raw": "A cat ."}]},
                ]
            },
        ),
    ],
)
def test_references_in_the_files_of_flickr30k(run_import: Import, tmp_path: Path, name: str, content: Any) -> None:
    rows = write(tmp_path / "rows.csv", "image,candidate,value\none,a dog,1\ntwo.jpg,a cat,2\n")

    run_import("table", source=rows, references=(write(tmp_path / name, content),))

    found = Reference.objects.order_by("pk").values_list("image__key", "text")
    assert list(found) == [("one", 'Two dogs , "running" .'), ("one", "A dog runs ."), ("two.jpg", "A cat .")]


@pytest.mark.parametrize(
    ("name", "files", "message"),
    [
        (
            "thumb",
            {"a_THumB.jsonl": [{"hyp": "a", "image": "1", "human_score": 1, "P": 1}]},
            "a_THumB.jsonl: must have a column R, got hyp, image, human_score, P, item",
        ),
        (
            "polaris",
            {"polaris_val.csv": "text,score\na,1\n"},
            "polaris_val.csv: must have a column imgid or image or imgid or image_id",
        ),
        (
            "polaris",
            {"polaris_val.csv": "mt,refs,score,imgid\na,\"['x' 'y']\",1,1\n"},
            "polaris_val.csv, line 2, field refs: must be a list of texts with commas between them, got \"['x' 'y']\"",
        ),
        ("polaris", {"a.csv": ""}, "data: must hold one file polaris*.csv or polaris*.json* or polaris*.parquet"),
        (
            "polaris",
            {"polaris_val.csv": "", "polaris_test.csv": ""},
            "data: must hold one file polaris*.csv or polaris*.json* or polaris*.parquet, or name the file itself, got "
            "polaris_test.csv, polaris_val.csv",
        ),
        (
            "foil",
            {"foilv1.0.json": FOIL},
            "--references: must name the file with the references (captions_*.json or dataset_coco.json)",
        ),
        (
            "foil",
            {"foilv1.0.json": {**FOIL, "annotations": FOIL["annotations"][1:]}, "captions_val2014.json": ANNOTATIONS},
            "foilv1.0.json, annotation 1, field id: must also be the id of a caption with foil false",
        ),
        (
            "crisscrossed",
            {"sits_val.csv": SITS.replace("sentid:4", "sentid:9"), "dataset_coco.json": SPLIT},
            "sits_val.csv, line 4, field caption: must end with the id of a caption in dataset_coco.json, got "
            "'COCO_val2014:sentid:9'",
        ),
        (
            "composite",
            {"8k_correctness.csv": "Input.image_url;Input.text1\nx;y\n"},
            "8k_correctness.csv, line 1: must have the columns Input.image_url, Input.text1, Answer.Q1Answer and so on",
        ),
    ],
)
def test_refuses_bad_files(refuse: Refuse, tmp_path: Path, name: str, files: dict[str, Any], message: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for file, content in files.items():
        write(folder / file, content)

    assert refuse(name, source=folder).startswith(message)
