"""Times worlds, captions, parsing and truth: `python -m benchmarks.worlds [--json] [--round-trip N] [--make N]`.

Worlds are created with one caption each, with and without their image, for each set of ShapeWorldICE. Captions of all
sets are parsed by us and by nltk's chart parser with the same grammar rules; both alternate on the same captions. Truth
is evaluated for one proposition in many worlds and for many propositions in one world. Seconds are CPU time in one
process.

`--round-trip N` creates N instances of all sets, half of the captions false, and counts those whose caption is parsed
to the proposition from which it was realised, and whose value is the intended one. `--make N` writes N instances of a
set to a temporary folder with several processes, and prints wall seconds.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# Lets this file run as a script from any folder.
sys.path[:0] = [str(ROOT)]

from captioning.worlds.instances import make_batch, make_instance  # noqa: E402
from captioning.worlds.language import load_grammar, parse_caption  # noqa: E402
from captioning.worlds.making import make_files  # noqa: E402
from captioning.worlds.specs import ICE_SPECS, SPECS, find_spec  # noqa: E402
from captioning.worlds.truth.evaluating import evaluate, evaluate_propositions, evaluate_worlds  # noqa: E402

_BLOCK = 1000


def main() -> int:
    """Run the requested measurements and print them."""
    options = _parse_arguments()
    if options.round_trip:
        rows = [_count_round_trips(options.round_trip, options.processes)]
    elif options.make:
        rows = [_time_making(options.make, options.set, options.processes)]
    else:
        captions = _list_captions(options.captions)
        rows = [
            *_time_worlds(options.worlds),
            _time_parsing(captions, n_peer=options.peer),
            *_time_truth(options.worlds),
        ]
    print(json.dumps(rows, indent=1) if options.json else "\n".join(map(_format, rows)))
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    parser.add_argument("--worlds", type=int, default=500, help="worlds of each set (default: 500)")
    parser.add_argument("--captions", type=int, default=100, help="captions of each set to parse (default: 100)")
    parser.add_argument("--peer", type=int, default=60, help="how many of them the peer parses (default: 60)")
    parser.add_argument("--round-trip", type=int, metavar="N", help="read back N captions of all sets")
    parser.add_argument("--make", type=int, metavar="N", help="write N instances")
    parser.add_argument("--set", default="existential-oneshape", help="the set to write")
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    return parser.parse_args()


def _measure(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _time_worlds(n_worlds: int) -> list[dict[str, Any]]:
    rows = []
    for spec in ICE_SPECS:
        make_instance(spec, split="train", index=n_worlds)
        bare = _measure(lambda spec=spec: [make_instance(spec, split="train", index=each) for each in range(n_worlds)])
        drawn = _measure(lambda spec=spec: make_batch(spec, split="train", start=0, size=n_worlds))
        rows.append(
            {"work": f"make {spec.name}", "worlds_per_s": n_worlds / bare, "with_images_per_s": n_worlds / drawn}
        )
    return rows


def _list_captions(n_captions: int) -> list[str]:
    made = [make_instance(spec, split="train", index=each) for spec in SPECS.values() for each in range(n_captions)]
    return [instance.captions[0].text for instance in made]


def _time_parsing(captions: Sequence[str], *, n_peer: int) -> dict[str, Any]:
    chart = make_chart_parser()
    step = max(len(captions) // n_peer, 1)
    chosen = captions[::step]
    ours = peer = 0.0
    n_readings = set()
    for caption in chosen:
        # Our parser is too fast for the resolution of the clock, so it parses each caption a hundred times.
        ours += _measure(lambda caption=caption: [parse_caption(caption) for _ in range(100)]) / 100
        started = time.process_time()
        n_readings.add(sum(1 for _ in chart.parse(caption.split())))
        peer += time.process_time() - started
    all_ours = _measure(lambda: [parse_caption(caption) for caption in captions])
    return {
        "work": "parse",
        "captions": len(captions),
        "parses_per_s": len(captions) / all_ours,
        "peer_parses_per_s": len(chosen) / peer,
        "ratio": ours / peer,
        "peer_readings": sorted(n_readings),
    }


def make_chart_parser() -> Any:
    """Return nltk's chart parser with our grammar."""
    import nltk

    grammar = load_grammar()
    productions = []
    for origin, alternatives in grammar.alternatives.items():
        for alternative in alternatives:
            symbols = [name if kind == "word" else nltk.Nonterminal(name) for kind, name in alternative.symbols]
            productions.append(nltk.Production(nltk.Nonterminal(origin), symbols))
    classes = {
        name for each in grammar.alternatives.values() for a in each for kind, name in a.symbols if kind == "class"
    }
    productions += [nltk.Production(nltk.Nonterminal(name), [word]) for name in classes for word in grammar.words[name]]
    return nltk.ChartParser(nltk.CFG(nltk.Nonterminal("sentence"), productions))


def _time_truth(n_worlds: int) -> list[dict[str, Any]]:
    rows = []
    for spec in (*ICE_SPECS, SPECS["relational-spatial"], SPECS["logical-full"]):
        instances = [make_instance(spec, split="train", index=each) for each in range(n_worlds)]
        worlds = [instance.world for instance in instances]
        propositions = [instance.captions[0].proposition for instance in instances]
        few = propositions[:10]
        over_worlds = _measure(lambda few=few, worlds=worlds: [evaluate_worlds(each, worlds) for each in few])
        over_one = _measure(
            lambda propositions=propositions, worlds=worlds: [
                evaluate_propositions(propositions, each) for each in worlds[:10]
            ]
        )
        rows.append(
            {
                "work": f"evaluate {spec.name}",
                "one_over_many_per_s": len(few) * len(worlds) / over_worlds,
                "many_over_one_per_s": len(propositions) * len(worlds[:10]) / over_one,
            }
        )
    return rows


def _count_round_trips(n_captions: int, n_processes: int) -> dict[str, Any]:
    share = -(-n_captions // len(SPECS))
    blocks = [(name, range(first, min(first + _BLOCK, share))) for name in SPECS for first in range(0, share, _BLOCK)]
    started = time.perf_counter()
    with ProcessPoolExecutor(n_processes, mp_context=get_context("spawn")) as executor:
        counts = list(executor.map(_read_back, *zip(*blocks, strict=True)))
    total, read_back, right, n_true = (sum(column) for column in zip(*counts, strict=True))
    return {
        "work": "round trip",
        "captions": total,
        "read_back": read_back,
        "with_intended_value": right,
        "true": n_true,
        "seconds": time.perf_counter() - started,
    }


def _read_back(name: str, indices: range) -> tuple[int, int, int, int]:
    spec = replace(find_spec(name), correct_ratio=0.5)
    read_back = right = n_true = 0
    for index in indices:
        instance = make_instance(spec, split="train", index=index)
        caption = instance.captions[0]
        proposition = parse_caption(caption.text)
        read_back += proposition == caption.proposition
        right += evaluate(proposition, instance.world) == (1 if caption.is_true else -1)
        n_true += caption.is_true
    return len(indices), read_back, right, n_true


def _time_making(n_instances: int, name: str, n_processes: int) -> dict[str, Any]:
    started = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(n_processes, mp_context=get_context("spawn")) as executor,
    ):
        make_files(find_spec(name), split="train", n_instances=n_instances, folder=Path(folder), executor=executor)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    seconds = time.perf_counter() - started
    return {
        "work": f"write {name}",
        "instances": n_instances,
        "seconds": seconds,
        "minutes_for_200000": seconds / n_instances * 200_000 / 60,
        "megabytes": size / 2**20,
        "load": os.getloadavg()[0],
    }


def _format(row: dict[str, Any]) -> str:
    values = (f"{name} {value:,.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in row.items())
    return "; ".join(values)


if __name__ == "__main__":
    sys.exit(main())
