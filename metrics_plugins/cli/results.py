"""`check-results`: check results for a challenge before they are uploaded."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.cli.challenge_rules import TOKEN_VARIABLE, ResultRules, fetch_rules
from metrics_plugins.cli.checking import CHECK_FAILED_EXIT
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import add_json_option
from metrics_plugins.readers import ResultsError, ResultsFile, read_results
from metrics_plugins.readers.coco import read_image_ids
from metrics_plugins.readers.results import MAX_CHARACTERS

_RULES: Final = ("captions", "max_characters", "allow_empty")


def add_check_results(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("results", type=Path, metavar="FILE", help="COCO results, or a zip with one such file")
    rules = parser.add_mutually_exclusive_group(required=True)
    rules.add_argument(
        "--challenge",
        metavar="URL",
        help=f"the API's address of a phase, which states the rules; {TOKEN_VARIABLE} may hold a token",
    )
    rules.add_argument(
        "--images", type=Path, metavar="FILE", help="the images: COCO's JSON with a list of images, or an id a line"
    )
    parser.add_argument("--captions", type=read_count, metavar="N", help="captions of each image (default: 1)")
    parser.add_argument(
        "--max-characters", type=read_count, metavar="N", help=f"the longest caption (default: {MAX_CHARACTERS})"
    )
    parser.add_argument("--allow-empty", action="store_true", default=None, help="accept captions without text")
    add_json_option(parser)
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    rules = _read_rules(options)
    try:
        results = read_results(
            options.results,
            image_ids=rules.image_ids,
            captions_per_image=rules.captions_per_image,
            max_characters=rules.max_characters,
            allow_empty=rules.allow_empty,
        )
    except ResultsError as error:
        sys.stdout.write(_format_problems(error, as_json=options.json))
        return CHECK_FAILED_EXIT
    sys.stdout.write(_format_results(results, as_json=options.json))
    return 0


def _read_rules(options: argparse.Namespace) -> ResultRules:
    if options.challenge is not None:
        given = [name for name in _RULES if getattr(options, name) is not None]
        if given:
            raise UsageError(f"--{given[0].replace('_', '-')} cannot be combined with --challenge, which states it")
        return fetch_rules(options.challenge)
    return ResultRules(
        image_ids=read_image_ids(options.images),
        captions_per_image=options.captions or 1,
        max_characters=options.max_characters or MAX_CHARACTERS,
        allow_empty=bool(options.allow_empty),
    )


def _format_results(results: ResultsFile, *, as_json: bool) -> str:
    if as_json:
        facts = {
            "valid": True,
            "images": len(results.captions),
            "captions": results.n_captions,
            "split": results.split,
            "algorithm": results.algorithm,
        }
        return json.dumps(facts) + "\n"
    return f"valid: {results.n_captions:,} captions of {len(results.captions):,} images\n"


def _format_problems(error: ResultsError, *, as_json: bool) -> str:
    if as_json:
        problems = [asdict(problem) for problem in error.problems]
        return json.dumps({"valid": False, "count": error.count, "problems": problems}) + "\n"
    lines = [" ".join(str(problem).split()) for problem in error.problems]
    hidden = error.count - len(lines)
    lines.append(f"invalid: {error.count:,} problems" + (f", of which {hidden:,} are not shown" if hidden else ""))
    return "\n".join(lines) + "\n"
