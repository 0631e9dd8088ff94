import pytest

from crossbranch.errors import TransformError, UsageError
from crossbranch.transforms import pipeline
from crossbranch.transforms.tags import PrepositionTo, Tags
from crossbranch.tree import Node, Token, Tree, feature

TREE = Tree(
    [
        Token("de", "lid", "de", "LID(bep)", features=(("pos", "det"),)),
        Token("man", "n", "man", "N(soort)"),
        Token("x", "", features=(("pos", "tag"),)),
    ],
    Node("ROOT", [0, 1, 2]),
)


@pytest.mark.parametrize(
    ("source", "tags"),
    [
        ("pos", ["det", "n", "tag"]),
        ("morphology", ["LID(bep)", "N(soort)", ""]),
        ("lemma", ["de", "man", ""]),
        ("nothing", ["lid", "n", ""]),
    ],
)
def test_tags_come_from_elsewhere(source: str, tags: list[str]) -> None:
    changed = pipeline(f"tags({source})").apply(TREE)
    assert [token.tag for token in changed.sentence] == tags
    assert Tags(source).undo(changed) == TREE


def test_the_old_tag_is_kept_in_a_feature() -> None:
    changed = Tags("pos").apply(TREE)
    assert feature(changed.sentence[0].features, "tags.before") == '["lid"]'
    assert feature(changed.sentence[2].features, "tags.before") == '[""]'


def test_other_trees_keep_their_tags() -> None:
    assert Tags("pos").undo(TREE) == TREE


@pytest.mark.parametrize("memory", ["x", "{}", "[1]"])
def test_a_damaged_memory_is_an_error(memory: str) -> None:
    tree = Tree([Token("a", "b", features=(("tags.before", memory),))], Node("ROOT", [0]))
    with pytest.raises(TransformError, match=r"tags\.before"):
        Tags("pos").undo(tree)


def test_a_source_is_needed() -> None:
    with pytest.raises(UsageError, match="tags needs the option source"):
        pipeline("tags")
    with pytest.raises(UsageError, match="source is empty"):
        Tags("")


def test_only_the_preposition_to_becomes_in() -> None:
    words = [Token(form, tag) for form, tag in (("To", "TO"), ("me", "PRP"), ("to", "TO"))]
    infinitive = Node("VP", [2, Node("VP", [3])])
    tree = Tree(
        [*words, Token("go", "VB")], Node("S", [Node("PP", [0, Node("NP", [1])]), infinitive])
    )
    changed = pipeline("preposition-to").apply(tree)
    assert list(changed.tags) == ["IN", "PRP", "TO", "VB"]
    assert PrepositionTo().undo(changed) == tree
    assert PrepositionTo().apply(changed) == changed
