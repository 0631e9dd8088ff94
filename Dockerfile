# A parsing server: docker build -t crossbranch . && docker run -p 8000:8000 crossbranch
# Other models: docker run -p 8000:8000 crossbranch serve nl de --host 0.0.0.0
FROM python:3.13-slim AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY CMakeLists.txt LICENSE README.md pyproject.toml ./
COPY core core
COPY src src
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[server]"

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "crossbranch[server]" \
 && useradd --system --no-create-home crossbranch
USER crossbranch
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-c", \
  "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
# Processes get the signal itself, so that the server can finish its requests.
STOPSIGNAL SIGTERM
ENTRYPOINT ["crossbranch"]
CMD ["serve", "en", "--host", "0.0.0.0"]
