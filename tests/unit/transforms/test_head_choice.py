import pytest

from crossbranch.grammar.sampling import sample
from crossbranch.transforms.head_choice import SHIPPED, choose_head_table
from crossbranch.transforms.head_rules import load_table
from crossbranch.tree import Node, Token, Tree


@pytest.mark.parametrize(
    ("grammar", "table"), [("dutch", "alpino"), ("german", "negra"), ("english", "ptb")]
)
def test_the_table_of_the_treebanks_style_is_chosen(grammar: str, table: str) -> None:
    assert choose_head_table(sample(50, grammar=grammar)) == table


def test_rules_for_every_label_do_not_count() -> None:
    unknown = Tree([Token("a", "?"), Token("b", "?")], Node("@@", [0, 1]))
    assert choose_head_table([unknown]) == SHIPPED[0]
    assert choose_head_table([]) == SHIPPED[0]
    french = Tree([Token("a", "ADV"), Token("b", "V")], Node("VN", [0, 1]))
    assert choose_head_table([french]) == "french"


def test_all_tables_are_candidates() -> None:
    for name in SHIPPED:
        assert load_table(name).rules
