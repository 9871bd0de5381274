"""The kinds of background work of this app."""

from studies.analysis.disagreements.cached_ranking import RANKING
from studies.analysis.explorer.cached_overview import LOOK, OPENING
from studies.analysis.explorer.default_report import KIND as DEFAULT_REPORT
from studies.analysis.explorer.jobs import INTERVALS, MULTIVERSE
from studies.analysis.results import RESULTS
from studies.analysis.scatter.pages import SCATTER
from studies.analysis.systems.ranking import SYSTEMS
from studies.analysis.truth import TRUTH
from studies.collaboration.mailing import SEND_MAIL
from studies.collaboration.webhooks import SEND_ACCOUNT_WEBHOOK
from studies.datasets.captioners.jobs import CAPTION
from studies.datasets.drafts.upload_jobs import CHECK, IMPORT, MAKE
from studies.monitoring.answers import ANSWERS
from studies.monitoring.live.jobs import COUNTS, SNAPSHOT
from studies.monitoring.progress import PROGRESS
from studies.publishing.bundles.jobs import BUNDLE
from studies.publishing.report_jobs import REPORT
from studies.scoring.plugins.catalog import LIST_PLUGINS
from studies.scoring.plugins.conformance import CHECK_METRIC
from studies.scoring.requested_runs.requests import SCORE
from studies.simulation.jobs import SIMULATE

KINDS = (
    ANSWERS,
    BUNDLE,
    CAPTION,
    CHECK,
    CHECK_METRIC,
    COUNTS,
    DEFAULT_REPORT,
    IMPORT,
    INTERVALS,
    LIST_PLUGINS,
    LOOK,
    MAKE,
    MULTIVERSE,
    OPENING,
    PROGRESS,
    RANKING,
    TRUTH,
    REPORT,
    RESULTS,
    SCATTER,
    SEND_ACCOUNT_WEBHOOK,
    SEND_MAIL,
    SIMULATE,
    SCORE,
    SNAPSHOT,
    SYSTEMS,
)
