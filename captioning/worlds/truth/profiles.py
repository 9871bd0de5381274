"""The two published states of the original's rules of truth, by name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """What differs between the states.

    Parameters
    ----------
    name : str
        S (the state of June 2018, which labelled the published samples) or H (the last state).
    axis_margin : float
        By how much one centre must lie beyond another to be left of, above and so on.
    strict_pairs : bool
        Whether `the left one` of two must differ by more on that axis than on the other one.
    tolerance_sign : int
        1: a fraction within the tolerance satisfies `more than` and `less than`; -1: it does not.
    landmark_slip : bool
        Whether `the N closest to the M` measures from the other things rather than from the landmark.
    negation_negates : bool
        Whether `is not above ...` is evaluated as a negation; the last state prints "not" and ignores it.
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
