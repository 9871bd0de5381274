"""All addresses: raters /r/, previews of their pages /as-rater/, operators /admin/, jobs /jobs/, else researchers."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from studies.api.urls import urlpatterns as api_patterns
from studies.views.sign_up import sign_up

API = [
    *api_patterns,
    path("studies/<slug:name>/rehearsals/", include("annotation_ui.rehearsal.api.urls")),
]

urlpatterns = [
    # Browsers ask for it beside pages that cannot name an icon: figures, downloads.
    path("favicon.ico", RedirectView.as_view(url=static("studies/favicon.svg"))),
    path("admin/", admin.site.urls),
    path("login/", auth_views.LoginView.as_view(), name="login"),
    path("sign-up/", sign_up, name="sign_up"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("r/", include("annotation_ui.urls")),
    path("as-rater/", include("annotation_ui.previewing.urls", namespace="preview")),
    path("studies/<slug:name>/rehearsal/", include("annotation_ui.rehearsal.urls")),
    path("api/v1/", include((API, "api"))),
    path("jobs/", include("jobs.urls")),
    path("", include("studies.urls")),
]

handler404 = "studies.api.lost.answer_unknown"
handler500 = "studies.api.lost.answer_broken"
