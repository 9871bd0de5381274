"""Tests of parameters with names of files: allowed ones, and every known way around the rules."""

import zipfile
from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.paths import PathKind, list_path_kinds
from metrics_plugins.runtime import ANYWHERE, FileRoots, PathRefused, load_registry

MESSAGE = "thing must name {} by its path within the files of the dataset or the operator's resources"


@pytest.fixture
def roots(tmp_path) -> FileRoots:
    """Two folders, with files and links in them, and a secret beside them."""
    own, shared, outside = (tmp_path / name for name in ("own", "shared", "outside"))
    for folder in (
        own / "sub",
        shared / "encoder",
        own / "leaky",
        outside / "encoder",
        own / "twice@bfloat16",
        own / "pair",
    ):
        folder.mkdir(parents=True)
    (own / "sub" / "table.json").write_text("{}")
    (shared / "table.json").write_text("{}")
    (outside / "secret.json").write_text("{}")
    (outside / "secret").write_text("secret")
    with zipfile.ZipFile(own / "archive.zip", "w") as archive:
        archive.writestr("inner/table.json", "{}")
    (own / "link.json").symlink_to(outside / "secret.json")
    (own / "inner-link.json").symlink_to(own / "sub" / "table.json")
    (own / "linked").symlink_to(outside)
    (own / "archive.zip!secret").symlink_to(outside / "secret")
    (own / "leaky" / "model.safetensors").symlink_to(outside / "secret")
    (own / "twice").symlink_to(outside / "encoder")
    (own / "pair@x").symlink_to(outside / "encoder")
    (own / "loop").symlink_to(own / "loop")
    return FileRoots((own, shared))


ATTACKS = [
    "/etc/passwd",
    "//etc/passwd",
    "~/.ssh/id_rsa",
    "~root",
    "..",
    ".",
    "../outside/secret.json",
    "sub/../../outside/secret.json",
    "sub/./../../outside/secret.json",
    "sub//table.json",
    "link.json",
    "linked/secret.json",
    "linked",
    "loop",
    "file:///etc/passwd",
    "features:/etc/passwd",
    "features:../outside/secret.json",
    "archive.zip!/etc/passwd",
    "archive.zip!../outside/secret",
    "archive.zip!inner/../../x",
    "archive.zip!secret",
    "/etc/passwd!x",
    "link.json!x",
    "../outside/secret.json!x",
    "archive.zip!",
    "!table.json",
    "/etc@bfloat16",
    "../outside@bfloat16",
    "../outside/encoder@bfloat16",
    "linked@bfloat16",
    "linked/encoder@bfloat16",
    "twice@bfloat16",
    "pair@x",
    "leaky",
    "leaky@bfloat16",
    "sub@../../outside",
    "sub\x00/etc/passwd",
    "sub\n/etc/passwd",
    "sub\\..\\..\\outside",
    "sub/table.json,/etc/passwd",
    "sub/table.json,link.json",
    "no-such-file.json",
    "no/such/file",
    "NO-SUCH\u202ejson",
    "x" * 100_000,
    "a/" * 200 + "a",
]


@pytest.mark.parametrize("kind", PathKind)
@pytest.mark.parametrize("value", ATTACKS, ids=lambda value: repr(value)[:40])
def test_nothing_outside_is_found_and_nothing_is_told(roots, kind, value, tmp_path):
    with pytest.raises(PathRefused) as refused:
        roots.resolve("thing", kind, value)

    what = {
        "file": "a file",
        "folder": "a folder",
        "member": "a file, or ARCHIVE!MEMBER,",
        "members": "files, separated by commas,",
        "encoder": "an installed encoder, or a file or folder",
    }
    assert str(refused.value) == MESSAGE.format(what[kind])


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        (PathKind.FILE, "sub/table.json", "own/sub/table.json"),
        (PathKind.FILE, "table.json", "shared/table.json"),
        (PathKind.FILE, "inner-link.json", "own/sub/table.json"),
        (PathKind.FOLDER, "encoder", "shared/encoder"),
        (PathKind.FOLDER, "encoder@bfloat16", "shared/encoder@bfloat16"),
        (PathKind.MEMBER, "table.json", "shared/table.json"),
        (PathKind.MEMBER, "archive.zip!inner/table.json", "own/archive.zip!inner/table.json"),
        (PathKind.MEMBERS, "table.json, archive.zip!table.json", "shared/table.json,own/archive.zip!table.json"),
        (PathKind.ENCODER, "encoder", "shared/encoder"),
        (PathKind.ENCODER, "features:table.json", "features:shared/table.json"),
    ],
)
def test_files_inside_of_the_roots_are_found(roots, kind, value, found, tmp_path):
    expected = found
    for name in ("own/", "shared/"):
        expected = expected.replace(name, f"{tmp_path}/{name}")

    assert roots.resolve("thing", kind, value) == expected


@pytest.mark.parametrize("value", ["minilm", "clip@bfloat16", "glove"])
def test_the_name_of_an_encoder_stays(roots, value):
    assert roots.resolve("encoder", PathKind.ENCODER, value) == value


def test_an_empty_value_names_nothing(roots):
    assert [roots.resolve("thing", kind, "") for kind in PathKind] == [""] * len(PathKind)


def test_names_differ_by_case_where_the_system_tells_them_apart(roots):
    with pytest.raises(PathRefused):
        roots.resolve("thing", PathKind.FILE, "TABLE.json")


def test_a_command_line_may_name_anything(tmp_path, monkeypatch):
    (tmp_path / "encoder").mkdir()
    monkeypatch.chdir(tmp_path)

    assert ANYWHERE.resolve("df", PathKind.FILE, "../x.json") == "../x.json"
    # What provides encoders opens no relative path, which could be a name.
    assert ANYWHERE.resolve("encoder", PathKind.ENCODER, "encoder@bfloat16") == f"{tmp_path}/encoder@bfloat16"
    assert ANYWHERE.resolve("encoder", PathKind.ENCODER, "minilm") == "minilm"


def test_folders_in_the_working_directory_are_not_encoders(tmp_path, monkeypatch):
    (tmp_path / "studies").mkdir()
    monkeypatch.chdir(tmp_path)

    with pytest.raises(MetricError, match="no installed plugin provides an encoder 'studies'"):
        load_registry(outside=False).get_encoder("studies")


def test_bundled_metrics_declare_what_names_files():
    declared = {
        (metric.info.id, name): kind.value
        for metric in load_registry(outside=False)
        for name, kind in list_path_kinds(metric.metric_class.build).items()
    }

    assert declared == {
        ("chair-i", "objects"): "member",
        ("chair-s", "objects"): "member",
        ("cider", "df"): "member",
        ("cider-d", "df"): "member",
        ("clip-score", "encoder"): "encoder",
        ("critic-judgments", "weights"): "folder",
        ("critic-lstm", "features"): "file",
        ("critic-lstm", "samples"): "members",
        ("critic-lstm", "vectors"): "encoder",
        ("critic-lstm", "weights"): "folder",
        ("critic-reference", "encoder"): "encoder",
        ("critic-reference", "weights"): "folder",
        ("embedding-f1", "encoder"): "encoder",
        ("embedding-f1-idf", "encoder"): "encoder",
        ("ref-clip-score", "encoder"): "encoder",
        ("sentence-cosine", "encoder"): "encoder",
        ("sentence-cosine-max", "encoder"): "encoder",
        ("spice-u", "concepts"): "member",
        ("uniqueness", "concepts"): "member",
        ("uniqueness", "tuples"): "member",
        ("wmd", "vectors"): "encoder",
        ("wmd-set", "vectors"): "encoder",
        **{
            (metric, "tuples"): "member"
            for metric in load_registry(outside=False).metrics
            if metric.startswith("spice")
        },
    }


def test_a_registry_builds_only_with_files_of_its_folders(tmp_path):
    (tmp_path / "table.json").write_text("{}")
    registry = load_registry(outside=False, files=FileRoots((tmp_path,)))

    with pytest.raises(PathRefused, match="df must name a file"):
        registry.build("cider-d", df=str(Path("/etc/hostname")))
    with pytest.raises(MetricError, match="n_images"):
        registry.build("cider-d", df="table.json")
