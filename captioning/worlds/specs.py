"""The named sets of instances: those of ShapeWorldICE, sets like the original's samples, and further ones."""

from dataclasses import dataclass, replace

from captioning.worlds.captions.captioners import CaptionSpec
from captioning.worlds.errors import UnknownSpec
from captioning.worlds.sampling import Withheld, WorldSpec
from captioning.worlds.truth.profiles import PROFILES, Profile

SPLITS = ("train", "validation", "test")
_WITHHELD_SUFFIX = "-withheld"

_SPATIAL = CaptionSpec("relational", relations=("x", "y"))
_PLACED = CaptionSpec("relational", relations=("x", "y", "z", "proximity"))
_ATTRIBUTES = CaptionSpec("relational", relations=("shape", "color"))
_COMPARED = CaptionSpec("relational", relations=("size", "shade"))
_COUNTED = CaptionSpec("quantified", quantifiers="count")
_SHARED = CaptionSpec("quantified", quantifiers="ratio")
_EXISTENTIAL = CaptionSpec("existential")
_EXISTENTIAL_OF_FEW = replace(_EXISTENTIAL, has_absent_values=True)
_SPATIAL_OF_FEW = replace(_SPATIAL, has_absent_values=True)
_SELECTION = CaptionSpec("selection")
_RELATED = CaptionSpec("relational", relations=(*_PLACED.relations, *_ATTRIBUTES.relations, *_COMPARED.relations))
# In the proportions of the samples.
_EVERY_PART = (*[_EXISTENTIAL, _RELATED] * 4, *[_SELECTION] * 2, _COUNTED, _SHARED)

# The pairs and counts that the original's `_test` configurations exclude from training.
_PAIRS = (
    "red square, green triangle, blue circle, yellow rectangle, magenta cross, cyan ellipse, red pentagon, "
    "green pentagon, blue pentagon, gray pentagon, gray square, gray triangle, gray circle"
)
WITHHELD = Withheld(
    pairs=frozenset((color, shape) for color, shape in (pair.split() for pair in _PAIRS.split(", "))),
    counts=frozenset({5, 10, 15}),
)


@dataclass(frozen=True, slots=True)
class Spec:
    """A named set of instances.

    `version` must be increased whenever the instances of a name change. `correct_ratio` is the probability that a
    caption is true.
    """

    name: str
    title: str
    world: WorldSpec
    caption: CaptionSpec
    correct_ratio: float = 1.0
    profile_name: str = "S"
    withheld: Withheld | None = None
    version: int = 1

    @property
    def profile(self) -> Profile:
        """The rules of truth."""
        return PROFILES[self.profile_name]


_CROWD = WorldSpec(4, 10, "reinforced")
_LARGE_CROWD = WorldSpec(5, 15, "reinforced", most_repeats=3)
_MIXED = WorldSpec(4, 15, "mixed", most_repeats=3)

ICE_SPECS = (
    Spec("existential-oneshape", "Existential-OneShape", WorldSpec(1, 1), _EXISTENTIAL_OF_FEW),
    Spec("existential-multishapes", "Existential-MultiShapes", WorldSpec(1, 10), _EXISTENTIAL_OF_FEW),
    Spec("spatial-twoshapes", "Spatial-TwoShapes", WorldSpec(2, 2, "reinforced", tolerance=0.0), _SPATIAL_OF_FEW),
    Spec("spatial-multishapes", "Spatial-MultiShapes", _CROWD, _SPATIAL),
    Spec("quant-count", "Quant-Count", _LARGE_CROWD, _COUNTED),
    Spec("quant-ratio", "Quant-Ratio", _LARGE_CROWD, _SHARED),
)
SAMPLE_SPECS = (
    Spec("relational-spatial", "Relations in space, depth and nearness", _CROWD, _PLACED),
    Spec("relational-attributes", "Same and different shapes and colours", _CROWD, _ATTRIBUTES),
    Spec("relational-comparative", "Comparisons of size and shade", _CROWD, _COMPARED),
    Spec("selection", "One thing chosen out of several", _CROWD, _SELECTION),
    Spec("logical-full", "Two clauses of any kind", _MIXED, CaptionSpec("logical", parts=_EVERY_PART), version=2),
)
FURTHER_SPECS = (
    Spec("relative-clauses", "Relative clauses", _CROWD, replace(_SPATIAL, kind="relative")),
    Spec(
        "compound-sentences",
        "Compound sentences",
        _CROWD,
        CaptionSpec("compound", relations=("x", "y"), parts=(_EXISTENTIAL, _SPATIAL, _COUNTED)),
        version=2,
    ),
    Spec("coreference", "Coreference", _CROWD, replace(_SPATIAL, kind="coreference")),
)
SPECS = {spec.name: spec for spec in (*ICE_SPECS, *SAMPLE_SPECS, *FURTHER_SPECS)}


def find_spec(name: str) -> Spec:
    """Return a named specification.

    With the suffix `-withheld`, some pairs of colour and shape and some counts occur only in the test split. Raises
    `UnknownSpec`, which lists the names.
    """
    base = name.removesuffix(_WITHHELD_SUFFIX)
    if base not in SPECS:
        raise UnknownSpec(
            f"no set is called {name!r}; there are {', '.join(SPECS)}, each also with `{_WITHHELD_SUFFIX}`"
        )
    spec = SPECS[base]
    return spec if base == name else replace(spec, name=name, withheld=WITHHELD)
