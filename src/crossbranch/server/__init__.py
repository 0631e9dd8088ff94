"""A server that parses: a versioned JSON API over HTTP (extra `[server]`).

app         the application, made from models and limits
run         the web server: signals, connections, stopping
connections limits of connections; slow and hostile clients
engine      micro-batches: requests that wait are parsed together, in threads
jobs        a request to parse; `answers` writes its answer
models      the models that are served, and which options clients may set
routes      the paths of the API, by topic
page        the web page at /
schemas     what clients send and get; `openapi` and `docs` describe it
limits      what a server accepts at most
guard       what happens around every request: token, limits, logs, metrics
calls       work besides parsing, stopped when its time is over
bodies      the bodies of requests; `treebanks` in them
errors      one shape for all errors
logs        structured logs, without what users wrote; `metrics` for Prometheus

`crossbranch serve` runs it. `crossbranch.client` calls it.
"""
