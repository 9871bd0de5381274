"""The kinds of background work of this app."""

from studies.analysis.disagreeing.looking import RANKING
from studies.analysis.exploring.jobs import INTERVALS, MULTIVERSE
from studies.analysis.exploring.looking import LOOK, OPENING
from studies.analysis.results import RESULTS
from studies.analysis.scatter_pages import SCATTER
from studies.datasets.drafting.upload_jobs import CHECK, IMPORT, MAKE
from studies.monitoring.live.jobs import COUNTS, SNAPSHOT
from studies.monitoring.progress import PROGRESS
from studies.publishing.requesting import REPORT
from studies.scoring.conformance import CHECK_METRIC
from studies.scoring.requests.working import SCORE
from studies.simulation.jobs import SIMULATE

KINDS = (
    CHECK,
    CHECK_METRIC,
    COUNTS,
    IMPORT,
    INTERVALS,
    LOOK,
    MAKE,
    MULTIVERSE,
    OPENING,
    PROGRESS,
    RANKING,
    REPORT,
    RESULTS,
    SCATTER,
    SIMULATE,
    SCORE,
    SNAPSHOT,
)
