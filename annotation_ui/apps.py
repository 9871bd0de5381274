from django.apps import AppConfig


class AnnotationUIConfig(AppConfig):
    name = "annotation_ui"
    verbose_name = "Annotation pages"
