"""URLs of the account pages: password, e-mail addresses, sessions, second factor, single sign-on."""

from allauth.account import views
from allauth.usersessions.views import list_usersessions
from django.apps import apps
from django.urls import include, path, re_path

from studies.views.access.account import limit_mails, show_account, with_mail
from studies.views.access.expired_forms import send_again
from studies.views.access.notifications import delete_webhook, save_webhook, show_notifications, switch_mail

urlpatterns = [
    path("", show_account, name="account"),
    path("send-again/", send_again, name="account_send_again"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("password/set/", views.password_set, name="account_set_password"),
    path("notifications/", show_notifications, name="account_notifications"),
    path("notifications/mail/", switch_mail, name="account_notifications_mail"),
    path("notifications/webhook/", save_webhook, name="account_webhook_save"),
    path("notifications/webhook/remove/", delete_webhook, name="account_webhook_remove"),
    path("sessions/", list_usersessions, name="usersessions_list"),
    path("email/", with_mail(views.email), name="account_email"),
    path("email/sent/", with_mail(views.email_verification_sent), name="account_email_verification_sent"),
    path("email/<str:key>/confirm/", with_mail(views.confirm_email), name="account_confirm_email"),
    path("password/reset/", with_mail(limit_mails(views.password_reset)), name="account_reset_password"),
    path("password/reset/sent/", with_mail(views.password_reset_done), name="account_reset_password_done"),
    path(
        "password/reset/done/",
        with_mail(views.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        with_mail(views.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
]
if apps.is_installed("allauth.mfa"):
    urlpatterns.append(path("second-factor/", include("allauth.mfa.urls")))
if apps.is_installed("allauth.socialaccount"):
    urlpatterns += [
        path("connections/", include("allauth.socialaccount.urls")),
        path("", include("allauth.socialaccount.providers.openid_connect.urls")),
    ]
