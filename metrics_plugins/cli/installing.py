"""`install-metrics`: list the sets of metrics that need more packages, or install some and try them."""

import argparse
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from importlib import invalidate_caches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from metrics_plugins.api import Input, Level, MetricInfo
from metrics_plugins.api.resources import Resource, find_missing, list_packages
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.installing.digests import read_digests
from metrics_plugins.installing.folders import check_clip_folder, choose_clip_folder
from metrics_plugins.installing.packages import PackageFile, check_digests, download_files, find_files, install_files
from metrics_plugins.installing.sets import SETS, MetricSet, find_set
from metrics_plugins.runtime.loading import load_registry

ALL: Final = "all"
_WIDTH: Final = 100
_TRIED: Final = frozenset({Input.CANDIDATE, Input.REFERENCES})


def add_install_metrics(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    names = ", ".join(each.name for each in SETS)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"{names} or {ALL} (without clip); none to list them")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="a CLIP in the format of transformers, for clip")
    parser.add_argument("--sha256", default="", metavar="HEX", help="what the SHA-256 of its model.safetensors must be")
    parser.add_argument("--json", action="store_true", help="without SET: print the sets as one JSON list")
    parser.add_argument("--yes", action="store_true", help="do not ask before installing")
    parser.add_argument(
        "--downloads",
        type=Path,
        default=find_downloads(),
        metavar="DIR",
        help="where files are kept until they are installed (default: %(default)s)",
    )
    parser.set_defaults(
        command=_run, kept="files that have arrived are kept, and the same command downloads the others"
    )


def find_downloads() -> Path:
    """Return the folder for files on their way to being installed, in the cache of the user.

    In a folder that all users share, another one could replace a file after its digest was verified.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "accordance", "downloads")


def _run(options: argparse.Namespace) -> int:
    if not options.sets:
        sys.stdout.write(_format_json() if options.json else _format_sets())
        return 0
    if options.json:
        raise UsageError("--json prints the list of sets, without SET")
    chosen = _choose_sets(options.sets)
    digest = ""
    if any(each.needs_folder for each in chosen):
        if options.folder is None:
            raise UsageError("clip needs --folder: a folder with a CLIP in the format of transformers")
        digest = check_clip_folder(options.folder, sha256=options.sha256)
    elif options.folder or options.sha256:
        raise UsageError("--folder and --sha256 are for clip")
    files = _find_missing_files(chosen)
    _say(_describe_plan(chosen, files, folder=options.folder, digest=digest))
    if not options.yes and (files or digest) and not _confirm():
        _say("nothing was installed")
        return 1
    if files:
        download_files(files, folder=options.downloads, say=_say)
        _say(f"installing {len(files)} packages")
        install_files(files, folder=options.downloads)
        invalidate_caches()
        for file in files:
            (options.downloads / file.file_name).unlink(missing_ok=True)
    if digest:
        choose_clip_folder(options.folder)
    return _try_metrics(chosen)


def _choose_sets(names: Sequence[str]) -> list[MetricSet]:
    wanted = [each.name for each in SETS if not each.needs_folder] if ALL in names else []
    wanted += [name for name in names if name != ALL]
    found = {name: find_set(name) for name in wanted}
    if unknown := [name for name, each in found.items() if each is None]:
        known = ", ".join(each.name for each in SETS)
        raise UsageError(f"there is no set of metrics {unknown[0]!r} (there are: {known} and {ALL})")
    return [each for each in found.values() if each]


def _find_missing_files(chosen: Sequence[MetricSet]) -> tuple[PackageFile, ...]:
    extras = sorted({extra for each in chosen for extra in _list_missing_extras(each)})
    if not extras:
        return ()
    _say("asking pip what is missing")
    tested = read_digests()
    files = find_files(list_packages(extras), tested=tested)
    check_digests(files, tested=tested)
    return files


def _list_missing_extras(chosen: MetricSet) -> set[str]:
    """Return the extras of which a package is missing; folders of weights are not looked at."""
    needed = find_missing({each for info in _list_infos() for each in info.resources})
    return {extra for each in needed for extra in each.extras} & set(chosen.extras)


def _describe_plan(chosen: Sequence[MetricSet], files: Sequence[PackageFile], *, folder: Path, digest: str) -> str:
    lines = [f"{each.name}: {', '.join(each.list_metrics(_list_infos()))}" for each in chosen]
    if files:
        most = sum({each.extras: each.megabytes for each in chosen if _list_missing_extras(each)}.values())
        lines.append(f"{len(files)} packages are missing, at most {most:,} MB when installed; all digests were tested:")
        lines += [f"  {file.name} {file.version} ({file.licence or 'licence not told by pip'})" for file in files]
    else:
        lines.append("all packages are installed")
    lines += [f"licences of {each.name}: {each.licences}" for each in chosen]
    if digest:
        lines.append(f"weights: {folder}, SHA-256 {digest}")
    return "\n".join(lines)


def _confirm() -> bool:
    if not sys.stdin.isatty():
        raise UsageError("--yes is needed where nobody can be asked")
    sys.stdout.write("Install? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _try_metrics(chosen: Sequence[MetricSet]) -> int:
    """Score one caption with a metric of each set, in a new process, and return the exit code."""
    failed = 0
    for each in chosen:
        ids = set(each.list_metrics(_list_infos()))
        usable = [info for info in _list_infos() if info.id in ids and not find_missing(info.resources)]
        if not usable:
            failed = 1
            _say(f"{each.name}: something is still missing; `accordance list` says what")
            continue
        tried = next((info for info in usable if info.level is Level.SEGMENT and info.inputs <= _TRIED), None)
        told = _score_one(tried) if tried else ""
        failed |= int(told.startswith("failed"))
        _say(f"{each.name}: {told or 'available'}")
    if not failed:
        _say("The metrics are available to new runs; servers and workers need no restart.")
    return failed


def _score_one(info: MetricInfo) -> str:
    with TemporaryDirectory() as place:
        captions = Path(place, "captions.json")
        captions.write_text(json.dumps([{"image_id": 1, "caption": "a brown dog runs on a beach"}]))
        arguments = ["score", "--candidates", captions, "--references", captions, "--metrics", info.id]
        command = [sys.executable, "-m", "metrics_plugins", *map(str, arguments)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if ended.returncode:
        return f"failed to score a caption with {info.id}: {ended.stderr.strip()[-300:]}"
    value = json.loads(ended.stdout.splitlines()[0])["value"]
    return f"available; {info.id} of a caption and the same caption is {value:.3f}"


def _indent(text: str) -> str:
    return textwrap.fill(
        text, width=_WIDTH, initial_indent=" " * 10, subsequent_indent=" " * 10, break_on_hyphens=False
    )


def _list_infos() -> list[MetricInfo]:
    return [each.info for each in load_registry(outside=False)]


def _is_installed(chosen: MetricSet, infos: Sequence[MetricInfo]) -> bool:
    ids = chosen.list_metrics(infos)
    return not any(find_missing(info.resources) for info in infos if info.id in ids)


def _format_json() -> str:
    infos = _list_infos()
    sets = [
        {
            "set": each.name,
            "installed": _is_installed(each, infos),
            "megabytes": each.megabytes,
            "metrics": list(each.list_metrics(infos)),
            "licences": each.licences,
        }
        for each in SETS
    ]
    return json.dumps(sets) + "\n"


def _format_sets() -> str:
    infos = _list_infos()
    lines = []
    for each in SETS:
        ids = each.list_metrics(infos)
        ready = "installed" if _is_installed(each, infos) else "not installed"
        lines.append(f"{each.name:<10}{ready:<15}at most {each.megabytes:,} MB")
        lines += [_indent(", ".join(ids)), _indent(f"Licences: {each.licences}.")]
    listed = {metric for each in SETS for metric in each.list_metrics(infos)}
    rest = [info.id for info in infos if info.id not in listed and any(isinstance(r, Resource) for r in info.resources)]
    lines += [
        "",
        f"`all` is every set but clip, and then {', '.join(rest)} can be computed as well.",
        "Install sets with `accordance install-metrics SET ...`, and clip with `accordance install-metrics clip",
        "--folder DIR`. `accordance list ID` prints the card of a metric.",
    ]
    return "\n".join(lines) + "\n"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
