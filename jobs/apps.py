from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"
    verbose_name = "Background jobs"

    def ready(self) -> None:
        # Each app registers its kinds of jobs in a module of this name.
        autodiscover_modules("job_kinds")
