"""All URLs: raters /r/, previews of their pages /as-rater/, operators /admin/, jobs /jobs/, else researchers."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from studies.views.access.log_in import LogIn
from studies.views.access.sign_up import sign_up

admin.autodiscover()
# Operators use the same login page, with its second factor.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    # Browsers request it for responses that cannot specify an icon: figures, downloads.
    path("favicon.ico", RedirectView.as_view(url=static("studies/favicon.svg"))),
    path("admin/", admin.site.urls),
    path("login/", LogIn.as_view(), name="account_login"),
    path("sign-up/", sign_up, name="account_signup"),
    path("logout/", auth_views.LogoutView.as_view(), name="account_logout"),
    path("account/", include("studies.account_urls")),
    path("r/", include("annotation_ui.urls")),
    path("as-rater/", include("annotation_ui.previewing.urls", namespace="preview")),
    path("api/", RedirectView.as_view(pattern_name="api:home"), name="api"),
    path("api/v1/challenges/", include("challenges.api.urls")),
    path("api/v1/", include("studies.api.urls")),
    path("jobs/", include("jobs.urls")),
    path("", include("annotation_ui.recruiting.urls")),
    path("", include("challenges.urls")),
    path("", include("studies.urls")),
]

handler400 = "studies.api.lost.answer_bad"
handler404 = "studies.api.lost.answer_unknown"
handler500 = "studies.api.lost.answer_broken"
