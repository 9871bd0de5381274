"""The ASGI entry point."""

import os

from django.core.asgi import get_asgi_application

from config.warming import warm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_asgi_application()
warm()
