# A parsing server: docker build -t crossbranch . && docker run -p 127.0.0.1:8000:8000 crossbranch
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++
WORKDIR /source
COPY CMakeLists.txt LICENSE README.md pyproject.toml ./
COPY core core
COPY src src
RUN pip install --no-cache-dir --prefix /installed ".[server]"

FROM python:3.13-slim
RUN useradd --no-create-home --uid 10001 crossbranch
COPY --from=build /installed /usr/local
# The number of the user, by which Kubernetes sees that it is not root.
USER 10001
EXPOSE 8000
# Never through a proxy, even if the environment names one.
HEALTHCHECK --start-period=30s CMD ["python", "-c", \
  "import urllib.request as r; r.build_opener(r.ProxyHandler({})).open('http://127.0.0.1:8000/healthz', timeout=3)"]
# Without a shell, so that the server itself gets signals and can finish its requests.
ENTRYPOINT ["crossbranch"]
CMD ["serve", "en", "--host", "0.0.0.0"]
