"""Metrics in the text format of Prometheus."""

from __future__ import annotations

from crossbranch.server.metrics import Metrics


def test_counts_and_times() -> None:
    metrics = Metrics()
    metrics.answered("/v1/parse", "POST", 200, 0.02)
    metrics.answered("/v1/parse", "POST", 200, 3.0)
    metrics.answered('odd"path\\', "GET", 404, 99.0)
    metrics.parsed("en", requests=3, sentences=5, tokens=40)
    metrics.gauge("waiting_requests", lambda: 2)
    lines = metrics.text().splitlines()
    name = "crossbranch_requests_total"
    assert f'{name}{{path="/v1/parse",method="POST",status="200"}} 2' in lines
    assert f'{name}{{path="odd\\"path\\\\",method="GET",status="404"}} 1' in lines
    name = "crossbranch_request_seconds"
    assert f'{name}_bucket{{path="/v1/parse",le="0.025"}} 1' in lines
    assert f'{name}_bucket{{path="/v1/parse",le="+Inf"}} 2' in lines
    assert f'{name}_count{{path="/v1/parse"}} 2' in lines
    assert 'crossbranch_tokens_total{model="en"} 40' in lines
    assert 'crossbranch_batch_requests_bucket{le="4"} 1' in lines
    assert "crossbranch_waiting_requests 2" in lines
    named = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(named) == len(set(named))
