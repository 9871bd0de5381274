"""The rules of truth in two published versions of the original, by name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """The differences between the versions.

    Parameters
    ----------
    name : str
        S (June 2018, the version that labelled the published samples) or H (the last version).
    axis_margin : float
        The smallest difference between two centres for one to be left of, above (and so on) the other.
    strict_pairs : bool
        Whether `the left one` of two must differ more on this axis than on the other one.
    tolerance_sign : int
        1: a fraction within the tolerance satisfies `more than` and `less than`; -1: it does not.
    landmark_slip : bool
        Whether `the N closest to the M` compares distances from the other things instead of from the landmark.
    negation_negates : bool
        Whether `is not above ...` is evaluated as a negation; the last version prints "not" and ignores it.
    """

    name: str
    axis_margin: float
    strict_pairs: bool
    tolerance_sign: int
    landmark_slip: bool
    negation_negates: bool


PROFILES = {
    "S": Profile("S", 0.05, strict_pairs=False, tolerance_sign=1, landmark_slip=True, negation_negates=True),
    "H": Profile("H", 0.1, strict_pairs=True, tolerance_sign=-1, landmark_slip=False, negation_negates=False),
}
SAMPLES = PROFILES["S"]
HEAD = PROFILES["H"]
