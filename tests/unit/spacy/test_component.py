"""crossbranch in pipelines of spaCy."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from trained_parsers import trained_with

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc, DocBin, Span  # noqa: E402

import crossbranch  # noqa: E402
from crossbranch.errors import TreeError, UsageError  # noqa: E402
from crossbranch.parsers.front_end import FrontEnd  # noqa: E402
from crossbranch.spacy import TreeParser, render  # noqa: E402
from crossbranch.spacy.views import EXTENSIONS, register_extensions  # noqa: E402

ROOT = Path(__file__).parents[3]
TEXT = "What should I do? I don't know the well-known man.\n\nHe cannot (really) come."
KEY = "crossbranch"


def pipeline(**settings: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("crossbranch", config={"model": "en", **settings})
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Any:
    return pipeline()


@pytest.fixture(scope="module")
def doc(nlp: Any) -> Doc:
    return nlp(TEXT)  # type: ignore[no-any-return]


def test_a_blank_pipeline_gets_trees_and_sentences(doc: Doc) -> None:
    assert [tree.words for tree in doc._.trees] == [[t.text for t in s] for s in doc.sents]
    assert [str(s).strip() for s in doc.sents] == [
        "What should I do?",
        "I don't know the well-known man.",
        "He cannot (really) come.",
    ]
    assert [tree.id for tree in doc._.trees] == ["1", "2", "3"]
    for tree in doc._.trees:
        for token in tree.sentence:
            assert doc.text[token.start : token.end] == token.form
        assert doc.text[tree.sentence[0].start :].startswith(tree.text)


def test_the_parser_reads_the_tokens_of_the_model(doc: Doc) -> None:
    [what, *_] = crossbranch.load("en").parse_text(TEXT)
    assert doc._.trees[0].root == what.root
    assert [(c.label, c.text) for c in doc._.trees[0].constituents("VP")] == [("VP", "What … do")]


def test_it_can_read_the_tokens_of_spacy() -> None:
    nlp = pipeline(tokens="spacy")
    doc = nlp("I saw the well-known  man.")
    words = [token.text for token in doc if not token.is_space]
    tree = crossbranch.load("en").parse(words)
    assert [t.form for t in doc._.trees[0].sentence if t.form.strip()] == tree.words
    assert [n.label for n in doc._.trees[0].nodes] == [n.label for n in tree.nodes]
    assert not doc[0].tag_
    assert not doc[0].lemma_


def test_constituents_of_documents_and_spans(doc: Doc) -> None:
    [vp] = [one for one in doc._.constituents if one.is_discontinuous]
    assert [span.text for span in vp.spans] == ["What", "do"]
    assert [span.label_ for span in vp.spans] == ["VP", "VP"]
    assert vp.span.text == "What should I do"
    assert [token.text for token in vp.tokens] == ["What", "do"]
    assert (vp.label, vp.text, vp.head.text, vp.confidence) == ("VP", "What … do", "do", None)
    assert vp in doc[0:4]._.constituents
    assert vp not in doc[0:3]._.constituents
    assert [one.label for one in doc[0:4]._.constituents] == ["SQ", "VP", "WHNP", "NP"]
    assert [one.text for one in vp.children] == ["What"]
    assert vp.children[0].parent == vp
    assert repr(vp) == "<DocConstituent VP: What … do>"
    assert str(vp) == vp.text
    assert vp != "VP"
    assert len({vp, vp.children[0].parent}) == 1


def test_labels_parents_and_children_of_spans(doc: Doc) -> None:
    start = next(token.i for token in doc if token.text == "the")
    span = doc[start : start + 5]
    assert span.text == "the well-known man"
    assert (span._.label, span._.labels) == ("NP", ("NP",))
    assert [one.label for one in span._.parents] == ["VP", "VP", "S"]
    assert span._.parent.text == "know the well-known man"
    assert [one.text for one in span._.children] == ["well-known"]
    wide = doc[start - 1 : start + 5]
    assert (wide._.label, wide._.parent.label) == ("VP", "VP")
    assert [one.text for one in wide._.children] == ["the well-known man"]
    no_constituent = doc[start : start + 2]
    assert (no_constituent._.label, no_constituent._.labels) == ("", ())
    assert [one.label for one in doc[start]._.parents] == ["NP", "VP", "VP", "S"]
    assert doc[start]._.parent == span._.constituents[0]


def test_spans_over_sentences_and_without_words(doc: Doc) -> None:
    first, second, _ = doc.sents
    both = doc[first.start : second.end]
    assert len(both._.trees) == 2
    assert both._.parents == []
    assert both._.constituents == [*first._.constituents, *second._.constituents]
    assert both._.children[0].label == "SBARQ"
    empty = doc[3:3]
    assert (empty._.constituents, empty._.parents, empty._.label) == ([], [], "")


def test_documents_without_trees() -> None:
    doc = spacy.blank("en")("No trees here.")
    assert doc._.trees == doc._.constituents == doc[0:1]._.constituents == doc[0]._.parents == []
    assert doc[0:1]._.parent is None


def test_given_sentences_are_kept() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("crossbranch")
    doc = nlp("He said. that he came.")  # no sentence of the model ends here
    assert [s.text for s in doc.sents] == ["He said.", "that he came."]
    assert [tree.text for tree in doc._.trees] == ["He said.", "that he came."]


def test_words_that_spacy_did_not_split(nlp: Any) -> None:
    words = ["I", "don't", "know", "it.Really", "?"]
    doc = nlp(Doc(nlp.vocab, words=words, spaces=[True, True, True, False, False]))
    assert [tree.words for tree in doc._.trees] == [words]
    assert doc._.trees[0].sentence[1].tag == "VBP+RB"


@pytest.mark.parametrize("text", ["", " ", "\n\n", "a", "Yes.", " x ", "\u200b"])
def test_short_and_blank_texts(nlp: Any, text: str) -> None:
    doc = nlp(text)
    assert [word for tree in doc._.trees for word in tree.words] == [t.text for t in doc]


def test_tags_and_lemmas_are_set_on_demand() -> None:
    nlp = pipeline(set_tags=True, set_lemmas=True)
    words = ["I", "do", "n't", "know", "the", "wo", "men", "."]
    doc = nlp(
        Doc(nlp.vocab, words=words, spaces=[word not in ("do", "wo", "men") for word in words])
    )
    assert [t.tag_ for t in doc] == ["PRP", "VBP", "RB", "VB", "DT", "NNS", "NNS", "."]
    assert [t.lemma_ for t in doc][:4] == ["I", "do", "not", "know"]
    assert [t.lemma_ for t in doc][5:7] == ["", ""]  # pieces of a word


def test_batches_are_parsed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline(batch_size=3)
    component = nlp.get_pipe("crossbranch")
    sizes = []
    parse_many = component.parser.parse_many

    def counted(sentences: list[Any], **options: Any) -> Iterator[Any]:
        sizes.append(len(sentences))
        return parse_many(sentences, **options)  # type: ignore[no-any-return]

    monkeypatch.setattr(component.parser, "parse_many", counted)
    texts = ["One came. Two went.", "Three stay.", "", "Four."]
    docs = list(nlp.pipe(texts))
    assert [len(doc._.trees) for doc in docs] == [2, 1, 0, 1]
    assert sizes == [3, 1]


def test_several_processes_give_the_same_trees(nlp: Any) -> None:
    texts = ["What should I do?", "He came.", ""] * 2
    found = list(nlp.pipe(texts, n_process=2, batch_size=2))
    assert [doc._.trees for doc in found] == [nlp(text)._.trees for text in texts]


def test_confidence_and_options() -> None:
    doc = pipeline(confidence=True, functions=False, beam=2, threads=2)("What should I do?")
    assert 0 < doc._.trees[0].confidence < 1
    assert all(0 < one.confidence <= 1 for one in doc._.constituents)
    assert not any(one.function for one in doc._.constituents)
    search = pipeline(search={"beam": 2}, functions=False)("What should I do?")
    assert search._.trees[0].root.span == doc._.trees[0].root.span


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "nonsense"}, "no shipped model"),
        ({"search": {"bream": 3}}, "bream"),
        ({"threads": 0}, "threads is 0"),
        ({"batch_size": 0}, "batch_size is 0"),
    ],
)
def test_wrong_settings_are_found_at_once(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pipeline(**settings)
    with pytest.raises(ValueError, match="nonsense"):
        pipeline(nonsense=1)


def test_errors_go_to_the_handler_of_the_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline(batch_size=1)
    component = nlp.get_pipe("crossbranch")
    annotate = component._annotate

    def fail(docs: list[Doc]) -> None:
        if docs[0].text == "bad":
            raise RuntimeError("out of order")
        annotate(docs)

    monkeypatch.setattr(component, "_annotate", fail)
    with pytest.raises(RuntimeError, match="out of order"):
        nlp("bad")
    seen = []
    nlp.set_error_handler(lambda name, proc, docs, error: seen.append((name, str(error))))
    assert [doc.text for doc in nlp.pipe(["good", "bad", "fine"])] == ["good", "fine"]
    assert seen == [("crossbranch", "out of order")]


def test_a_model_without_tagger_and_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = trained_with("sr-gap", tags="gold")
    component = TreeParser(parser)
    nlp = spacy.blank("de")
    words = ["der", "Hund", "bellt"]
    without_tags = Doc(nlp.vocab, words=words, sent_starts=[True, False, False])
    with pytest.raises(UsageError, match="has no tag, and this model has no tagger"):
        component(without_tags)
    doc = component(
        Doc(nlp.vocab, words=words, tags=["ART", "NN", "VVFIN"], sent_starts=[True, False, False])
    )
    assert doc._.trees[0].tags == ["ART", "NN", "VVFIN"]
    assert component.labels == tuple(parser.labels)
    monkeypatch.setattr(parser, "front_end", FrontEnd())
    with pytest.raises(UsageError, match="set_lemmas needs a model with lemmas"):
        TreeParser(parser, set_lemmas=True)
    with pytest.raises(UsageError, match=r'such as nlp.add_pipe\("sentencizer"\), before'):
        TreeParser(parser)(Doc(nlp.vocab, words=words))


def test_a_document_is_saved_with_its_trees(nlp: Any, doc: Doc) -> None:
    assert Doc(nlp.vocab).from_bytes(doc.to_bytes())._.trees == doc._.trees
    docs = DocBin(store_user_data=True)
    docs.add(doc)
    [loaded] = DocBin().from_bytes(docs.to_bytes()).get_docs(nlp.vocab)
    saved = json.dumps(loaded.user_data[KEY])
    assert json.loads(saved) == [tree.to_dict() for tree in doc._.trees]
    assert loaded._.trees == doc._.trees
    assert [c.text for c in loaded._.constituents] == [c.text for c in doc._.constituents]


def test_a_pipeline_is_saved_with_its_settings(tmp_path: Path) -> None:
    nlp = pipeline(beam=2, confidence=True)
    expected = nlp("What should I do?")._.trees
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    assert loaded.config["components"]["crossbranch"]["beam"] == 2
    assert loaded("What should I do?")._.trees == expected
    again = spacy.util.load_model_from_config(nlp.config).from_bytes(nlp.to_bytes())
    assert again("What should I do?")._.trees == expected
    change = {"components": {"crossbranch": {"model": "de"}}}
    other = spacy.load(tmp_path / "pipeline", config=change)
    assert other.get_pipe("crossbranch").labels != loaded.get_pipe("crossbranch").labels


def test_trees_follow_merged_and_split_tokens(nlp: Any) -> None:
    doc = nlp("I saw New York. He came.")
    before = doc._.trees
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[2:4])
    assert [tree.words for tree in doc._.trees] == [
        ["I", "saw", "New York", "."],
        ["He", "came", "."],
    ]
    assert doc[2:3]._.label == "NP"
    assert doc._.trees[0].sentence[2].tag == "NNP"
    assert doc._.trees[1] == before[1]
    with doc.retokenize() as retokenizer:
        retokenizer.split(doc[2], ["New ", "York"], heads=[doc[2], doc[1]])
    assert doc[2:4]._.label == "NP"


def test_trees_of_another_text_are_refused(nlp: Any, doc: Doc) -> None:
    part = doc[5:8].as_doc()
    part.user_data[KEY] = doc._.trees
    with pytest.raises(TreeError, match="belong to another text"):
        _ = part._.trees


def test_crossing_trees_are_drawn(doc: Doc) -> None:
    page = render(doc)
    assert page.count("<svg") == 3
    assert page._repr_mimebundle_() == {"text/html": page}
    assert render(doc[0:3]).count("<svg") == 1
    assert "<svg" in doc._.trees[0]._repr_svg_()


def test_extensions_of_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    Span.set_extension("label", default="theirs", force=True)
    try:
        with pytest.warns(UserWarning, match=r"span\._\.label: another library"):
            register_extensions()
        assert spacy.blank("en")("a b")[0:1]._.label == "theirs"
    finally:
        Span.set_extension("label", getter=EXTENSIONS[Span]["label"], force=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_extensions()


def test_the_entry_point_needs_no_import(tmp_path: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    place = settings["entry-points"]["spacy_factories"]["crossbranch"]
    info = tmp_path / "crossbranch-0.1.0.dist-info"  # as an installed package has it
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crossbranch\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[spacy_factories]\ncrossbranch = {place}\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import spacy\n"
        "assert 'crossbranch' not in sys.modules\n"
        "nlp = spacy.blank('en'); nlp.add_pipe('crossbranch', config={'model': 'en'})\n"
        "print(nlp('What should I do?')._.trees[0].root)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.startswith("(ROOT (SBARQ "), run.stderr
