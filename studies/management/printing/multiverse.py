"""Prints a multiverse."""

from collections import Counter

from correlation.protocols.multiverse import Multiverse
from studies.management.printing.tables import format_table

KINDS = ("aggregation", "level", "coefficient")


def print_multiverse(multiverse: Multiverse, *, title: str, signature: str) -> str:
    """Return how often each metric wins, its ranks, and the winners by option."""
    n_universes = len(multiverse.universes)
    order = sorted(range(len(multiverse.metrics)), key=lambda number: (-multiverse.wins[number], number))
    ranked = [_list_ranks(multiverse, number) for number in order]
    header = ("metric", "wins", "mean rank", "best", "worst", "undefined")
    winners: Counter[tuple[str, str, str]] = Counter()
    for universe in multiverse.universes:
        firsts = [name for name, rank in zip(multiverse.metrics, universe.ranks, strict=True) if rank == 1]
        winner = f"{'tie of ' if len(firsts) > 1 else ''}{'+'.join(firsts)}"
        for kind in KINDS:
            winners[kind, getattr(universe, kind), winner or "none"] += 1
    chosen = [(kind, choice, winner, str(count)) for (kind, choice, winner), count in _order(winners)]
    tables = [
        format_table(header, ranked),
        format_table(("choice", "option", "winner", "universes"), chosen, n_names=3),
    ]
    return "\n\n".join([f"{title}, {n_universes} universes", *tables, signature])


def _list_ranks(multiverse: Multiverse, number: int) -> tuple[str, ...]:
    ranks = [universe.ranks[number] for universe in multiverse.universes]
    defined = [rank for rank in ranks if rank is not None]
    mean, best, worst = (
        (f"{sum(defined) / len(defined):.2f}", str(min(defined)), str(max(defined))) if defined else ("-",) * 3
    )
    wins = f"{100 * multiverse.wins[number]:.1f} %"
    return (multiverse.metrics[number], wins, mean, best, worst, str(len(ranks) - len(defined)))


def _order(winners: Counter[tuple[str, str, str]]) -> list[tuple[tuple[str, str, str], int]]:
    """Sort winners by choice and option in order of appearance, the most frequent winner first."""
    options = list(dict.fromkeys(option for _, option, _ in winners))
    return sorted(
        winners.items(),
        key=lambda found: (KINDS.index(found[0][0]), options.index(found[0][1]), -found[1], found[0][2]),
    )
