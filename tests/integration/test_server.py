"""A real server in a process of its own, and real clients."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from commands import CROSSING, crossbranch
from server_process import Server, read_answer, request, running, split_answer

from crossbranch.client import AsyncClient, Client, RefusedError, UnavailableError
from crossbranch.derivations import records, show_tree
from crossbranch.drawing import draw_svg, draw_text
from crossbranch.evaluation import evaluate
from crossbranch.parsers import Parser, load
from crossbranch.tree import Tree
from crossbranch.treebank import FORMATS

TEXT = "What should I do? The man who lives next door gave me a book."
WORDS = ["What", "should", "I", "do", "?"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), "--threads", "2") as server:
        yield server


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


@pytest.fixture(scope="module")
def parser() -> Parser:
    return load("en")


@pytest.fixture(scope="module")
def trees(parser: Parser) -> list[Tree]:
    return list(parser.parse_text(TEXT))


def test_trees_of_a_text_are_those_of_the_parser(client: Client, trees: list[Tree]) -> None:
    assert client.parse(TEXT) == trees
    assert client.parse(TEXT, model="en", beam=4) == trees


def test_trees_of_words(client: Client, parser: Parser) -> None:
    sentences = [WORDS, [], ["Yes"]]
    assert client.parse(sentences=sentences, functions=False, beam=8) == list(
        parser.parse_many(sentences, functions=False, beam=8)
    )
    many = [WORDS, *([["I", "see", str(n)] for n in range(30)])]
    assert list(client.parse_many(many, batch=7)) == list(parser.parse_many(many))


def test_k_best_lists_with_confidence(client: Client, parser: Parser) -> None:
    found = client.parse_k_best(3, sentences=[WORDS], confidence=True)
    expected = list(parser.parse_k_best([WORDS], 3, confidence=True))
    assert found == expected
    assert found[0][0].tree.confidence is not None
    assert found[0][0].score is not None


def test_an_answer_has_what_was_asked_for(server: Server) -> None:
    body = {"texts": ["What should I do?", "", "Xyzzy qwrt plugh."], "k_best": 2}
    answer = _post(server, "parse", body | {"confidence": True})
    assert answer["model"] == "en"
    assert [one["text"] for one in answer["sentences"]] == [0, 2]
    first = answer["sentences"][0]
    assert len(first["trees"]) == len(first["scores"]) == len(first["confidence"]) == 2
    assert "unknown words" in answer["sentences"][1]["doubts"]
    plain = _post(server, "parse", {"text": "What should I do?"})["sentences"]
    assert [list(one) for one in plain] == [["trees"]]


def test_trees_in_every_format(server: Server, client: Client, trees: list[Tree]) -> None:
    numbered = [tree.replace(id=str(n)) for n, tree in enumerate(trees, 1)]
    for name in FORMATS:
        converted = client.convert(numbered, name)
        assert converted.sentences == 2
        if name != "json":  # the default: trees in the answer, not a text
            assert client.parse_to(name, TEXT) == converted.content, name
    answer = _post(server, "parse", {"text": TEXT, "format": "export", "k_best": 2})
    assert "#BOS 1.2 %% score" in answer["content"]


def test_models_labels_and_formats(client: Client) -> None:
    (model,) = client.models().models
    assert (model.name, model.language, model.kind) == ("en", "English", "linear-transition")
    assert model.capabilities.k_best
    assert model.capabilities.derivations
    assert [(one.name, one.default, one.maximum) for one in model.options] == [("beam", 4, 64)]
    labels = {(one.kind, one.label): one.meaning for one in client.labels("en").labels}
    assert "verb phrase" in (labels["phrase", "VP"] or "")
    assert ("tag", "NN") in labels
    assert ("function", "SBJ") in labels
    assert [one.format for one in client.formats()] == list(FORMATS)


def test_drawings(client: Client, trees: list[Tree]) -> None:
    tree = trees[0]
    assert client.draw(tree, to="text") == draw_text(tree)
    assert client.draw(tree) == draw_svg(tree, vertices=True)
    assert client.draw(tree, theme="dark", style=True) == draw_svg(
        tree, theme="dark", vertices=True
    )
    assert "predicted" in client.draw(tree, other=tree, to="text")
    assert 'data-vertex="0"' in client.draw(tree, other=tree)
    assert "\\begin{tikzpicture}" in client.draw(tree, to="tikz")
    assert "<title>" in client.draw(tree, to="html", font_size=20)
    with pytest.raises(RefusedError, match="no option 'theme'"):
        client.draw(tree, to="tikz", theme="dark")


def test_searching(client: Client, trees: list[Tree]) -> None:
    found = client.find("VP[discontinuous]", trees)
    assert [match.nodes[0]["text"] for match in found.matches] == ["What … do"]
    (vertex,) = found.matches[0].vertices
    assert trees[0].vertex(vertex).label == "VP"  # type: ignore[union-attr]
    assert found.complete
    assert found.sentences == 2
    assert not client.find("[]", trees, limit=3).complete
    with pytest.raises(RefusedError) as info:
        client.find("VP >", trees)
    assert (info.value.code, info.value.details) == ("bad_query", {"position": 4})


def test_derivations(client: Client, trees: list[Tree]) -> None:
    tree = trees[0]
    found = client.derive(tree, system="stack-free")
    expected = show_tree(tree, "stack-free", oracle="static", heads="ptb")
    assert found.frames == list(records(expected))
    assert len(found.trees) == len(found.frames)
    (steps,) = client.trace(sentences=[WORDS], beam=2)
    assert steps.frames[0]["scores"]
    with pytest.raises(RefusedError, match="unknown system 'nonsense'"):
        client.derive(tree, system="nonsense")


def test_conversion_and_its_errors(client: Client) -> None:
    found = client.convert(f"{CROSSING}(S 0=a\n{CROSSING}", "bracket", source_format="discbracket")
    assert found.sentences == 2
    assert found.losses["discontinuous trees"] == 2
    assert [(one.line, one.sentence) for one in found.errors] == [(2, "2")]
    with pytest.raises(RefusedError, match="unknown format 'nonsense'"):
        client.convert(CROSSING, "nonsense")
    assert client.convert(CROSSING, "export", apply="functions(strip)").sentences == 1


def test_evaluation(client: Client, trees: list[Tree]) -> None:
    other = [trees[0], Tree.from_string("(ROOT The man who lives next door gave me a book .)")]
    found = client.evaluate(trees, other)
    expected = evaluate(trees, other)
    assert found.f1 == expected.f1 < 1
    assert found.discontinuous_f1 == 1
    assert [one.exact for one in found.sentences] == [True, False]
    with pytest.raises(RefusedError, match="2 gold trees and 1 predicted"):
        client.evaluate(trees, trees[:1])


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ({}, "wrong_fields", "found none of them, expected exactly one of text, texts, tokens"),
        ({"text": "a", "tokens": []}, "wrong_fields", "found text and tokens"),
        ({"text": 1}, "wrong_type", r"Expected `str | null`, got `int` - at `\$.text`"),
        ({"txt": "a"}, "wrong_type", "unknown field `txt`"),
        ({"text": "a", "k_best": 0}, "wrong_type", ">= 1"),
        ({"text": "a", "k_best": 51}, "bad_option", "k_best is 51, expected at most 50"),
        ({"text": "a", "options": {"beam": 65}}, "bad_option", "65, expected at most 64"),
        ({"text": "a", "options": {"beam": 0}}, "bad_request", "beam"),
        ({"text": "a", "options": {"beam": "4"}}, "bad_option", "is a text"),
        ({"text": "a", "options": {"file": "x"}}, "bad_option", "no option 'file'"),
        ({"text": "a", "format": "pdf"}, "unknown_format", "expected one of export"),
        ({"text": "a", "model": "nl"}, "unknown_model", "no model 'nl' is served"),
        ({"tokens": [["a"] * 501]}, "sentence_too_long", "501 tokens, expected at most 500"),
        ({"text": "a b " * 50_001}, "text_too_long", "200,004 characters"),
        ({"texts": ["a"] * 2001}, "too_many_sentences", "2,001 texts"),
        ({"text": "Yes. " * 2001}, "too_many_sentences", "more than 2,000 sentences"),
    ],
)
def test_wrong_requests(server: Server, body: dict[str, Any], code: str, message: str) -> None:
    status, headers, answer = server.post("/v1/parse", json.dumps(body).encode())
    error = json.loads(answer)["error"]
    assert headers["content-type"] == "application/json"
    assert error["code"] == code
    assert httpx2.codes.is_client_error(status)
    assert re.search(message.replace("|", r"\|"), error["message"])


def test_a_thousand_requests_at_once(server: Server, parser: Parser) -> None:
    sentences = [["I", "saw", f"word{n}", "and", str(n), "."][: 3 + n % 4] for n in range(1000)]
    expected = parser.parse_many(sentences)
    answers = asyncio.run(_all_at_once(server.port, sentences))
    for (status, _, body), tree in zip(answers, expected, strict=True):
        assert status == 200
        (sentence,) = json.loads(body)["sentences"]
        assert Tree.from_dict(sentence["trees"][0]) == tree
    metrics = httpx2.get(f"{server.url}/metrics").text
    count = metrics.split("\ncrossbranch_batch_requests_count ")[1].split()[0]
    assert int(count) < 500  # requests that waited were parsed together


async def _all_at_once(port: int, sentences: list[list[str]]) -> list[Any]:
    connected = asyncio.Event()
    count = 0

    async def call(words: list[str]) -> Any:
        nonlocal count
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        count += 1
        if count == len(sentences):
            connected.set()
        await connected.wait()
        writer.write(request("/v1/parse", json.dumps({"tokens": [words]}).encode()))
        data = await reader.read()
        writer.close()
        return split_answer(data)

    return await asyncio.gather(*map(call, sentences))


def test_requests_in_one_packet_are_answered_in_their_order(server: Server) -> None:
    words = ["Yes", "No", "Perhaps"]
    data = [request("/v1/parse", json.dumps({"tokens": [[word]]}).encode()) for word in words]
    # All but the last leave the connection open, so they are answered in another way.
    data[:-1] = [one.replace(b"Connection: close\r\n", b"") for one in data[:-1]]
    with server.connect() as connection:
        connection.sendall(b"".join(data))
        received = b""
        while part := connection.recv(1 << 16):
            received += part
    names = []
    for word in words:
        status, headers, received = split_answer(received)
        length = int(headers["content-length"])
        answer, received = json.loads(received[:length]), received[length:]
        assert status == 200
        assert answer["sentences"][0]["trees"][0]["tokens"][0]["form"] == word
        names.append(sorted(set(headers) - {"connection"}))
    assert received == b""
    assert names == [names[-1]] * 3


def test_the_client_with_coroutines(server: Server, trees: list[Tree]) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as client:
            assert await client.is_healthy()
            several = await asyncio.gather(*[client.parse(TEXT) for _ in range(20)])
            assert all(one == trees for one in several)
            assert (await client.models()).models[0].name == "en"
            assert [tree async for tree in client.parse_many([WORDS])]
            with pytest.raises(RefusedError):
                await client.parse(TEXT, model="nonsense")

    asyncio.run(run())


def test_pages_load_nothing_from_outside(server: Server) -> None:
    page = httpx2.get(f"{server.url}/docs")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert "http:" not in page.text
    assert "https:" not in page.text
    assert "<script" not in page.text
    for path in httpx2.get(f"{server.url}/openapi.json").json()["paths"]:
        assert path in page.text


def test_no_answer_after_a_server_is_gone() -> None:
    with Client("http://127.0.0.1:9", patience=0.3) as client:
        assert not client.is_healthy()
        with pytest.raises(UnavailableError, match="no answer from"):
            client.parse("a")


def test_a_killed_and_restarted_server(tmp_path: Path, trees: list[Tree]) -> None:
    async def run(url: str, port: int, client: Client) -> None:
        async with AsyncClient(url) as waiting:
            task = asyncio.create_task(waiting.parse(TEXT))  # nobody listens yet
            await asyncio.sleep(0.3)
            with running(tmp_path, port=port) as second:
                assert await asyncio.wait_for(task, 30) == trees
                assert client.parse(TEXT) == trees  # its connection is gone; it makes a new one
                assert second.stop(signal.SIGINT) == 130

    with running(tmp_path) as first, Client(first.url) as client:
        assert client.parse(TEXT) == trees
        first.process.kill()
        first.process.wait()
        asyncio.run(run(first.url, first.port, client))


def test_stopping_under_load_loses_nothing(tmp_path: Path) -> None:
    body = json.dumps({"text": f"{TEXT} " * 10, "options": {"beam": 64}}).encode()
    with running(tmp_path) as server, ExitStack() as stack:
        connections = [stack.enter_context(server.connect()) for _ in range(24)]
        for connection in connections:
            connection.sendall(request("/v1/parse", body))
        server.wait_for(len(connections))
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.15)
        status, headers, answer = server.post("/v1/parse", b'{"text": "late"}')
        assert (status, headers["retry-after"]) == (503, "1")
        assert json.loads(answer)["error"]["code"] == "stopping"
        assert (
            server.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")[0] == 503
        )
        for connection in connections:
            status, _, content = read_answer(connection)
            assert status == 200
            assert len(json.loads(content)["sentences"]) == 20
        assert server.process.wait(timeout=20) == 0


def test_mistakes_on_the_command_line_are_one_line(tmp_path: Path, server: Server) -> None:
    for arguments, message in (
        (["nonsense"], "unknown model nonsense"),
        (["en", "--port", str(server.port)], "address already in use"),
        (["en", "--limit", "text=-1"], "the limit text is '-1', expected a positive number"),
    ):
        free = [] if "--port" in arguments else ["--port", "0"]
        stdout, stderr = crossbranch("serve", *arguments, *free, code=2)
        assert stdout == ""
        assert stderr.startswith("crossbranch: error: ")
        assert message in stderr
        assert stderr.count("\n") == 1


def test_a_missing_extra_is_named() -> None:
    for module, code, extra in (
        ("fastapi", "from crossbranch.cli import main; main()", "server"),
        ("httpx2", "from crossbranch.client import Client; Client()", "client"),
    ):
        hidden = f"import sys; sys.modules[{module!r}] = None; sys.argv[1:] = ['serve', 'en']; "
        run = subprocess.run([sys.executable, "-c", hidden + code], capture_output=True, text=True)
        assert run.returncode != 0
        assert f'install "crossbranch[{extra}]"' in run.stderr


def _post(server: Server, name: str, body: dict[str, Any]) -> Any:
    status, _, answer = server.post(f"/v1/{name}", json.dumps(body).encode())
    assert status == 200, answer
    return json.loads(answer)
