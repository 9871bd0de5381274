"""Tests of the captions of systems: what each of them says is true, false or no sentence, as its name promises."""

from pathlib import Path

import pytest

from captioning.cli import main
from captioning.probes.systems import TRUE, make_systems
from captioning.worlds.captions.checking import check_captions
from captioning.worlds.captions.edits import list_edits
from captioning.worlds.errors import SamplingFailed
from captioning.worlds.files.caption_files import read_captions
from captioning.worlds.files.world_files import read_worlds
from captioning.worlds.language import parse_caption, realise_caption
from captioning.worlds.specs import SPECS, find_spec

KINDS = {
    "existential-oneshape": ["color", "shape"],
    "existential-multishapes": ["color", "shape"],
    "spatial-multishapes": ["color", "shape", "relation"],
    "quant-ratio": ["color", "shape", "number"],
    "logical-full": ["color", "shape", "relation", "number", "logic"],
}


@pytest.mark.parametrize(("name", "kinds"), KINDS.items(), ids=KINDS)
def test_captions_of_a_system_have_the_truth_of_its_name(name: str, kinds: list[str]) -> None:
    made = make_systems(find_spec(name), n_worlds=12, n_references=6)

    assert list(made.captions) == [TRUE, *(f"false-{kind}" for kind in kinds), "other-image", "ungrammatical"]
    worlds = [instance.world for instance in made.instances]
    for system, captions in made.captions.items():
        values = check_captions([[caption] for caption in captions], worlds).values
        expected = {TRUE: 1, "ungrammatical": None}.get(system, -1)
        assert [value for (value,) in values] == [expected] * 12
    for instance, true in zip(made.instances, made.captions[TRUE], strict=True):
        assert instance.captions
        assert true not in [caption.text for caption in instance.captions]


def test_false_captions_are_one_edit_from_a_true_one() -> None:
    made = make_systems(find_spec("spatial-multishapes"), n_worlds=12, n_references=6)

    for kind in ("color", "shape", "relation"):
        for place, instance in enumerate(made.instances):
            sources = [parse_caption(made.captions[TRUE][place]), *(each.proposition for each in instance.captions)]
            edits = {realise_caption(edit) for each in sources for found, edit in list_edits(each) if found == kind}
            assert made.captions[f"false-{kind}"][place] in edits


def test_every_set_has_systems_and_the_same_arguments_give_the_same() -> None:
    for spec in SPECS.values():
        assert make_systems(spec, n_worlds=2, n_references=8) == make_systems(spec, n_worlds=2, n_references=8)


def test_files_of_the_command_are_aligned_with_the_worlds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["systems", "existential-multishapes", "--instances", "7", "--references", "4"]

    assert main([*arguments, "--out", str(tmp_path)]) == 0

    assert capsys.readouterr().out == (
        f"7 worlds in {tmp_path}; systems true, false-color, false-shape, other-image, ungrammatical\n"
    )
    worlds = read_worlds(tmp_path / "world_model.json")
    assert len(read_captions(tmp_path / "caption.txt", n_worlds=7)) == 7
    assert (tmp_path / "world-6.png").is_file()
    for name, value in (("true", 1), ("false-shape", -1), ("ungrammatical", None)):
        path = tmp_path / "systems" / f"{name}.txt"
        assert len(path.read_text().splitlines()) == 7
        captions = read_captions(path, n_worlds=7)
        assert [each for (each,) in check_captions(captions, worlds).values] == [value] * 7


def test_references_that_always_equal_the_caption_leave_no_worlds() -> None:
    spec = find_spec("existential-oneshape")

    made = make_systems(spec, n_worlds=30, n_references=1)
    assert all(len(instance.captions) == 1 for instance in made.instances)
    with pytest.raises(SamplingFailed, match="only 0 of 10 worlds have captions that allow the edits color, shape"):
        make_systems(spec, n_worlds=1, n_references=0)
