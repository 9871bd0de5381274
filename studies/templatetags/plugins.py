"""The installed metrics, for the index page of the admin, whose context is fixed."""

from django import template

from studies.scoring.plugins.installed import PluginList, list_plugins

register = template.Library()


@register.simple_tag
def installed_plugins() -> PluginList:
    return list_plugins()
