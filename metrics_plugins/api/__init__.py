"""The metric contract: all that the author of a plugin imports."""

from metrics_plugins.api.batch import Batch
from metrics_plugins.api.checks import CHECKS, CheckResult, check_metric, parametrize_with_checks
from metrics_plugins.api.columns import Ragged
from metrics_plugins.api.errors import (
    BadScores,
    CheckFailed,
    FittedOnEvaluation,
    MetricError,
    MissingInput,
    MissingResource,
    PluginError,
    UndeclaredInput,
    UnknownEncoder,
    UnknownMetric,
    UnknownTokenizer,
)
from metrics_plugins.api.hooks import hookimpl, hookspec
from metrics_plugins.api.info import FitsOn, Input, Level, MetricInfo
from metrics_plugins.api.judged import CrossFitted, JudgedRows, cross_fit_metric, fit_on_judgments
from metrics_plugins.api.loading import load_registry
from metrics_plugins.api.metric import BuildContext, DecomposableMetric, Fittable, Metric, Trainable
from metrics_plugins.api.paths import (
    ANYWHERE,
    ArchiveMember,
    ArchiveMembers,
    EncoderName,
    FilePath,
    FileRoots,
    FolderPath,
    PathRefused,
)
from metrics_plugins.api.providers import Encoder, TokenEncoder, Tokenizer, TokenVectors
from metrics_plugins.api.registry import RefusedPlugin, Registration, Registry
from metrics_plugins.api.running import MetricRun, fit_metric, run_metric
from metrics_plugins.api.scores import Scores
from metrics_plugins.api.signature import Signature, SignatureValue

__all__ = [
    "ANYWHERE",
    "CHECKS",
    "ArchiveMember",
    "ArchiveMembers",
    "BadScores",
    "Batch",
    "BuildContext",
    "CheckFailed",
    "CheckResult",
    "CrossFitted",
    "DecomposableMetric",
    "Encoder",
    "EncoderName",
    "FilePath",
    "FileRoots",
    "FitsOn",
    "Fittable",
    "FittedOnEvaluation",
    "FolderPath",
    "Input",
    "JudgedRows",
    "Level",
    "Metric",
    "MetricError",
    "MetricInfo",
    "MetricRun",
    "MissingInput",
    "MissingResource",
    "PathRefused",
    "PluginError",
    "Ragged",
    "RefusedPlugin",
    "Registration",
    "Registry",
    "Scores",
    "Signature",
    "SignatureValue",
    "TokenEncoder",
    "TokenVectors",
    "Tokenizer",
    "Trainable",
    "UndeclaredInput",
    "UnknownEncoder",
    "UnknownMetric",
    "UnknownTokenizer",
    "check_metric",
    "cross_fit_metric",
    "fit_metric",
    "fit_on_judgments",
    "hookimpl",
    "hookspec",
    "load_registry",
    "parametrize_with_checks",
    "run_metric",
]
