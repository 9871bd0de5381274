"""Small folders cut from the published files, for tests that damage them."""

import gzip
import json
from pathlib import Path
from typing import Any


def cut_flickr8k(data: Path, target: Path, *, n_rows: int = 12) -> Path:
    """Write the first rows of both human studies with the captions they need, unpacked."""
    source = data / "flickr8k"
    expert = (source / "ExpertAnnotations.txt").read_bytes().split(b"\n")[:n_rows]
    crowd = gzip.decompress((source / "CrowdFlowerAnnotations.txt.gz").read_bytes()).split(b"\n")[:n_rows]
    cells = [cell for row in (*expert, *crowd) for cell in row.split(b"\t")[:2]]
    images = {cell.partition(b"#")[0] for cell in cells}
    captions = gzip.decompress((source / "Flickr8k.token.txt.gz").read_bytes()).split(b"\n")
    captions = [line for line in captions if line.partition(b"#")[0] in images]
    names = {"ExpertAnnotations.txt": expert, "CrowdFlowerAnnotations.txt": crowd, "Flickr8k.token.txt": captions}
    target.mkdir(exist_ok=True)
    for name, lines in names.items():
        (target / name).write_bytes(b"\n".join(lines) + b"\n")
    return target


def cut_pascal50s(data: Path, target: Path, *, n_pairs: int = 6) -> Path:
    """Write the first pairs with their images' references and labels, in the published structures."""
    from scipy.io import loadmat, savemat

    source = data / "pascal50s"
    pairs = loadmat(source / "pair_pascal.mat")
    small = {
        "new_input": pairs["new_input"][:, :n_pairs],
        "new_data": pairs["new_data"][:n_pairs],
        "category": pairs["category"][:, :n_pairs],
        "result": pairs["result"][:, :n_pairs],
    }
    images = [str(record["name"][0]) for record in small["new_input"][0]]
    refs = loadmat(source / "pascal50S.mat")["refs"]
    kept = [index for index, record in enumerate(refs[0]) if str(record["image"][0]) in images]
    labels = json.loads(gzip.decompress((source / "pascal_50s.json.gz").read_bytes()))
    shown = {(str(record["name"][0]), *_strip_both(record)) for record in small["new_input"][0]}
    labels = {
        category: [
            record
            for record in records
            if (record["image"].rpartition("/")[2], *(text.strip() for text in record["captions"])) in shown
        ]
        for category, records in labels.items()
    }
    target.mkdir(exist_ok=True)
    savemat(target / "pair_pascal.mat", small, do_compression=True)
    savemat(target / "pascal50S.mat", {"refs": refs[:, kept]}, do_compression=True)
    (target / "pascal_50s.json").write_text(json.dumps(labels))
    return target


def write_triplets(folder: Path, *, votes_per_pair: int = 48, change: Any = None) -> None:
    """Write a consensus_pascal.mat in the documented structure: the first 30 of 48 votes are for the first caption."""
    import numpy as np
    from scipy.io import loadmat, savemat

    def wrap(text: str) -> Any:
        inner, outer = np.empty((1, 1), dtype=object), np.empty((1, 1), dtype=object)
        inner[0, 0] = text
        outer[0, 0] = inner
        return outer

    inputs = loadmat(folder / "pair_pascal.mat")["new_input"][0]
    refs = {str(record["image"][0]): record["sent"][0] for record in loadmat(folder / "pascal50S.mat")["refs"][0]}
    rows = [
        (wrap(str(refs[str(record["name"][0])][vote][0])), *map(wrap, _strip_both(record)), 1 if vote < 30 else -1)
        for record in inputs
        for vote in range(votes_per_pair)
    ]
    struct = np.empty((1, len(rows)), dtype=[(name, object) for name in ("A", "B", "C", "rating")])
    for index, row in enumerate(rows):
        struct[0, index] = row
    if change is not None:
        change(struct[0])
    savemat(folder / "consensus_pascal.mat", {"triplets": struct}, do_compression=True)


def _strip_both(record: Any) -> tuple[str, str]:
    return str(record["sent1"][0]).strip(), str(record["sent2"][0]).strip()
