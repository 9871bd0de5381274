"""A small OpenID Connect provider on loopback: the authorization code flow with PKCE, for one person."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "accordance", "a-secret-of-the-provider"


class Provider(ThreadingHTTPServer):
    """Logs in whoever comes as `claims`; `granted` holds what codes were given for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.claims = {"sub": "7", "preferred_username": "ada", "email": "ada@example.org", "email_verified": True}
        self.audience = CLIENT
        self.granted: dict[str, dict[str, str]] = {}
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        where, query = (
            urlsplit(self.path),
            {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()},
        )
        if where.path == "/.well-known/openid-configuration":
            site = self.server.address
            self._answer(
                {
                    "issuer": site,
                    "authorization_endpoint": f"{site}/authorize",
                    "token_endpoint": f"{site}/token",
                    "userinfo_endpoint": f"{site}/userinfo",
                    "jwks_uri": f"{site}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                }
            )
        elif where.path == "/authorize":
            code = secrets.token_urlsafe()
            self.server.granted[code] = query
            back = f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
            self.send_response(302)
            self.send_header("Location", back)
            self.end_headers()
        elif where.path == "/keys":
            key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.server.key.public_key()))
            self._answer({"keys": [{**key, "kid": "one", "use": "sig", "alg": "RS256"}]})
        elif where.path == "/userinfo" and self.headers["Authorization"] == "Bearer an-access-token":
            self._answer(self.server.claims)
        else:
            self._answer({"error": "not_found"}, status=404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = {key: values[0] for key, values in parse_qs(body).items()}
        asked = self.server.granted.pop(given.get("code", ""), None)
        proof = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        is_right = (
            asked is not None
            and self.headers["Authorization"] == f"Basic {basic}"
            and asked["code_challenge"] == base64.urlsafe_b64encode(proof).decode().rstrip("=")
            and asked["redirect_uri"] == given["redirect_uri"]
        )
        if not is_right:
            return self._answer({"error": "invalid_grant"}, status=400)
        now = int(time.time())
        times = {"iss": self.server.address, "aud": self.server.audience, "iat": now, "exp": now + 60}
        token = jwt.encode({**self.server.claims, **times}, self.server.key, "RS256", headers={"kid": "one"})
        return self._answer({"access_token": "an-access-token", "token_type": "Bearer", "id_token": token})

    def _answer(self, content: object, *, status: int = 200) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def run_provider() -> Iterator[Provider]:
    with Provider() as provider:
        thread = Thread(target=provider.serve_forever, daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join(timeout=10)
