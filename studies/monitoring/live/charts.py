"""Draws the two bar charts of the monitoring page from its counts."""

from studies.monitoring.live.bars import BarChart, draw_bars
from studies.monitoring.live.counts import MonitoringCounts


def picture_hours(counts: MonitoringCounts) -> BarChart:
    """Return the chart of judgments by hour."""
    values = [hour.n for hour in counts.hours]
    busiest = max(counts.hours, key=lambda hour: hour.n)
    text = (
        f"Bar chart of judgments by hour, from {counts.hours[0].start:%d %B %H:%M} on, UTC: {sum(values):,} in "
        f"{len(values)} hours, most ({busiest.n:,}) from {busiest.start:%H:%M}. All numbers are in the table below."
    )
    return draw_bars(values, [f"{hour.start:%H:%M}" for hour in counts.hours], text=text)


def picture_completion(counts: MonitoringCounts) -> BarChart:
    """Return the chart of items by their number of judgments."""
    planned = counts.facts.design.raters_per_task
    done = sum(each.n_items for each in counts.completion if each.n_judgments >= planned)
    text = (
        f"Bar chart of items by their number of judgments: {done:,} of {counts.facts.n_items:,} items have all "
        f"{planned} planned judgments. All numbers are in the table below."
    )
    return draw_bars(
        [each.n_items for each in counts.completion], [str(each.n_judgments) for each in counts.completion], text=text
    )
