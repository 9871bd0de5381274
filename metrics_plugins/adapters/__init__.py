"""Adapters that make metrics from functions, torchmetrics, sacrebleu and programs, for use by plugins."""

from metrics_plugins.adapters.commands import CommandFailed, adapt_command
from metrics_plugins.adapters.functions import adapt_function
from metrics_plugins.adapters.sacrebleu import adapt_sacrebleu
from metrics_plugins.adapters.torchmetrics import adapt_torchmetrics

__all__ = ["CommandFailed", "adapt_command", "adapt_function", "adapt_sacrebleu", "adapt_torchmetrics"]
