# The pages, API and background work of Accordance with the metrics that need no neural network: docs/deploy.md.
#   docker build -t accordance . && docker run -p 8000:8000 -v accordance-data:/data accordance

FROM python:3.11-slim AS build
WORKDIR /src
# Every package in the tested version and only with a listed hash; nothing is built from what pip would fetch.
COPY requirements-server.txt ./
RUN python -m venv /opt/accordance && /opt/accordance/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-server.txt
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE constraints.txt ./
COPY accordance ./accordance
COPY annotation_ui ./annotation_ui
COPY captioning ./captioning
COPY challenges ./challenges
COPY config ./config
COPY correlation ./correlation
COPY docs ./docs
COPY execution ./execution
COPY jobs ./jobs
COPY metrics_plugins ./metrics_plugins
COPY studies ./studies
RUN /opt/accordance/bin/python -m pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation --no-index .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin accordance && install --directory --owner accordance --mode 750 /data
COPY --from=build /opt/accordance /opt/accordance
ENV PATH=/opt/accordance/bin:$PATH PYTHONUNBUFFERED=1 ACCORDANCE_VAR=/data/var ACCORDANCE_CACHE=/data/cache DATABASE_URL=sqlite:////data/db.sqlite3 OPENBLAS_NUM_THREADS=1
USER accordance
WORKDIR /data
VOLUME /data
EXPOSE 8000
# Any answer of the server counts: a host name that ALLOWED_HOSTS lacks is refused by a running server, too.
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["python", "-c", "import http.client; c = http.client.HTTPConnection('127.0.0.1', 8000, timeout=8); c.request('GET', '/login/'); raise SystemExit(c.getresponse().status >= 500)"]
ENTRYPOINT ["accordance"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
