"""The published data sets of ratings that are tables, and how each of them is read."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from studies.datasets.importing.published.composite import load_composite
from studies.datasets.importing.published.crisscrossed import load_crisscrossed
from studies.datasets.importing.published.foil import load_foil
from studies.datasets.importing.tables.named_tables import NamedTable
from studies.datasets.importing.tables.reading import TableFacts

_IMAGE: Final = ("image", "imgid", "image_id", "file_name", "filename", "img_id", "img", "image_name", "image_path")
_CANDIDATE: Final = ("candidate", "caption", "mt", "cand", "hyp", "hypothesis", "candidate_caption")
_VALUE: Final = ("score", "human_score", "human", "rating", "correctness", "human_rating", "human_judgment", "value")
_REFERENCES: Final = ("references", "refs", "reference", "gts", "ground_truth", "ref")
_RATINGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "image": _IMAGE,
        "candidate": _CANDIDATE,
        "value": _VALUE,
        "row_reference": _REFERENCES,
        "system": ("system", "model", "sys", "SYS"),
    }
)
"""Columns of the sets that have one rating in each row, with the names that different publications of them use."""
_PAIRS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "image": ("image",),
        "candidate": ("candidate",),
        "value": ("value",),
        "row_reference": ("row_reference",),
    }
)

COMPOSITE: Final = NamedTable(
    name="composite",
    protocol="composite",
    facts=TableFacts(
        title="Composite",
        source="Aditya et al. (2015), From Images to Sentences through Scene Description Graphs, arXiv 1511.03292.",
        human_systems=("position-0",),
    ),
    files=("*correctness.csv", "composite*.csv", "composite*.json", "composite*.jsonl"),
    reference_files=("Flickr8k.token.txt", "results_*.token", "results.csv", "captions_val2014.json", "dataset_*.json"),
    fields={**_RATINGS, "value": ("correctness", *_VALUE)},
    scale="1-5",
    load=load_composite,
    are_several=True,
)
THUMB: Final = NamedTable(
    name="thumb",
    protocol="thumb",
    facts=TableFacts(
        title="THumB 1.0",
        source="Kasai et al. (2022), Transparent Human Evaluation for Image Captioning, NAACL, arXiv 2111.08940.",
        human_systems=("Human",),
        drops_references_of=("Human",),
    ),
    files=("*THumB*.jsonl",),
    reference_files=("*references.json*", "captions_val2014.json", "dataset_coco.json"),
    fields={
        "image": _IMAGE,
        "candidate": ("hyp", *_CANDIDATE),
        "system": ("SYS", "system"),
        "row_reference": ("refs", "references"),
    },
    criteria={"total": ("human_score", "total"), "P": ("P",), "R": ("R",)},
)
POLARIS: Final = NamedTable(
    name="polaris",
    protocol="polaris",
    facts=TableFacts(
        title="Polaris",
        source="Wada, Kaneda, Saito, Sugiura (2024), Polos: Multimodal Metric Learning from Human Feedback, CVPR.",
    ),
    files=("polaris*.csv", "polaris*.json*", "polaris*.parquet"),
    fields={**_RATINGS, "image": ("imgid", *_IMAGE), "candidate": ("mt", "cand", *_CANDIDATE)},
)
NEBULA: Final = NamedTable(
    name="nebula",
    protocol="nebula",
    facts=TableFacts(
        title="Nebula",
        source="Matsuda, Wada, Sugiura (2024), DENEB: A Hallucination-Robust Metric for Image Captioning, ACCV.",
    ),
    files=("nebula*.json*", "nebula*.csv", "nebula*.parquet"),
    fields={**_RATINGS, "image": ("imgid", "file_name", *_IMAGE), "candidate": ("mt", *_CANDIDATE)},
)
CAPEVAL1K: Final = NamedTable(
    name="capeval1k",
    protocol="capeval1k",
    facts=TableFacts(
        title="CapEval1k",
        source="Lee, Yoon, Dernoncourt, Bui, Jung (2021), UMIC: An Unreferenced Metric for Image Captioning, ACL.",
    ),
    files=("*apeval1k*.csv", "*apeval1k*.json*", "*apeval1k*.parquet", "*apEval1k*.csv", "*apEval1k*.json*"),
    reference_files=("captions_val2014.json", "dataset_coco.json"),
    fields=_RATINGS,
)
FOIL: Final = NamedTable(
    name="foil",
    protocol="foil",
    facts=TableFacts(
        title="FOIL-COCO",
        source="Shekhar et al. (2017), FOIL it! Find One mismatch between Image and Language caption, ACL.",
        human_systems=("original",),
        has_first_set=True,
    ),
    files=("foilv*.json",),
    reference_files=("captions_*.json", "dataset_coco.json"),
    fields=_PAIRS,
    load=load_foil,
    keeps_references=False,
    needs_references=True,
)
CRISSCROSSED: Final = NamedTable(
    name="crisscrossed",
    protocol="crisscrossed",
    facts=TableFacts(
        title="Crisscrossed Captions, image and caption (SITS)",
        source="Parekh, Baldridge, Cer, Waters, Yang (2021), Crisscrossed Captions, EACL, arXiv 2004.15020.",
        human_systems=("human",),
    ),
    files=("sits_*.csv",),
    reference_files=("dataset_coco.json", "captions_*.json"),
    fields={"image": ("image",), "candidate": ("candidate",), "value": ("value",)},
    load=load_crisscrossed,
    needs_references=True,
)

TABLES: Final[Mapping[str, NamedTable]] = MappingProxyType(
    {each.name: each for each in (COMPOSITE, THUMB, POLARIS, NEBULA, CAPEVAL1K, FOIL, CRISSCROSSED)}
)
