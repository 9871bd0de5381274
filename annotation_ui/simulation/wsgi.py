"""The application as usual, but by a clock that runs faster; for gunicorn in a simulation."""

import os
from datetime import datetime

from django.core.wsgi import get_wsgi_application

from annotation_ui.simulation.clock import speed_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
speed_up(
    float(os.environ["ACCORDANCE_SIMULATION_SPEED"]),
    since=datetime.fromisoformat(os.environ["ACCORDANCE_SIMULATION_SINCE"]),
)
