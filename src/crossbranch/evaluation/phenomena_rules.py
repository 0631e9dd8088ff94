"""Rules that find the phenomenon of a discontinuity: one rule for each class and label set.

`RULES` lists the rules of each label set in order. The first rule that holds gives the class. The
rules use labels, tags and words, not functions.
"""

from __future__ import annotations

from collections.abc import Callable

from crossbranch.evaluation.categories import is_coordination
from crossbranch.evaluation.discontinuity import Child, Discontinuity, span_of_child
from crossbranch.span import first_of, span_of, tokens_of
from crossbranch.tree import Node, Token, Tree

Rule = Callable[[Discontinuity], bool]

WH = "wh-extraction"
EXTRAPOSITION = "extraposition"
TOPICALIZATION = "topicalization"
FRONTED = "fronted quotation"
CIRCUMPOSITIONED = "circumpositioned quotation"
IT = "it-extraposition"
INVERSION = "inversion"
CROSS_SERIAL = "cross-serial"
TE = "te-infinitive"
STRANDING = "stranding"
SHARED = "shared in co-ordination"
OTHER = "other"
PHENOMENA = (
    WH,
    EXTRAPOSITION,
    TOPICALIZATION,
    FRONTED,
    CIRCUMPOSITIONED,
    IT,
    INVERSION,
    CROSS_SERIAL,
    TE,
    STRANDING,
    SHARED,
    OTHER,
)

# ---- words and labels

CLAUSES = frozenset(
    "S SBAR SBARQ SQ SINV FRAG CS SMAIN SSUB SV1 CP REL WHREL WHSUB WHQ".split()  # noqa: SIM905
)
VERB_PHRASES = frozenset(["VP", "CVP", "PPART", "PPRES", "INF", "TI", "OTI", "AHI", "VZ"])
WH_TAGS = frozenset("WDT WP WP$ WRB PWS PWAT PWAV PRELS PRELAT".split())  # noqa: SIM905
DUTCH_WH = frozenset("wie wat welk welke waar wanneer hoe hoeveel waarom wiens wier".split())  # noqa: SIM905
DUTCH_R_WORDS = frozenset(["er", "d'r", "daar", "hier", "waar", "ergens", "nergens", "overal"])
DUTCH_VERBS = frozenset(["ww", "verb"])
GERMAN_FINITE = frozenset(["VVFIN", "VAFIN", "VMFIN", "VVIMP", "VAIMP"])
GERMAN_CONJUNCTIONS = frozenset(["KOUS", "KOUI"])
PENN_VERBS = frozenset(["VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"])


def _is_verb(tag: str) -> bool:
    return tag in PENN_VERBS or tag in DUTCH_VERBS or tag in GERMAN_FINITE or tag.startswith("VV")


def _starts_clause(found: Discontinuity) -> bool:
    """The first word of the node is the first word of the clause, except for a conjunction."""
    first = first_of(found.node.span & ~found.punctuation)
    before = [i for i in tokens_of(found.clause.span & ~found.punctuation) if i < first]
    return all(found.token(i).tag in ("KON", "CC", "vg") for i in before)


def _is_clause(child: Child) -> bool:
    return isinstance(child, Node) and child.label in CLAUSES


def _has_wh_word(child: Child, found: Discontinuity) -> bool:
    """A wh-word or relative pronoun is among the first two words: with whom."""
    return not _is_clause(child) and any(t.tag in WH_TAGS for t in found.words(child)[:2])


# ---- rules for all label sets


def is_shared(found: Discontinuity) -> bool:
    """Only other conjuncts are in the gap: houses and gardens with trees, if both have trees."""
    parent = found.parent
    between = [found.token(i).tag for i in found.gap if i in parent.children]
    joins = any(is_coordination(tag, is_word=True) for tag in between)
    return (joins or is_coordination(parent.label)) and not span_of(found.gap) & ~parent.span


def is_displaced_right(found: Discontinuity) -> bool:
    """A child follows words that do not belong to the node."""
    return bool(found.back)


def is_displaced_left(found: Discontinuity) -> bool:
    """A child precedes words that do not belong to the node."""
    return bool(found.front)


def is_interrupted_clause(found: Discontinuity) -> bool:
    """A clause surrounds the verb that it depends on: That , he said , is right."""
    if found.node.label not in CLAUSES:
        return False
    beside = [c for c in found.parent.children if c is not found.node]
    verbs = [c for c in beside if isinstance(c, int)]
    for node in found.inherited:
        verbs += [c for c in node.children if isinstance(c, int)]
    for clause in filter(_is_clause, beside):
        verbs += tokens_of(span_of_child(clause))
    return any(i in verbs and _is_verb(found.token(i).tag) for i in found.gap)


def fronts_wh(found: Discontinuity) -> bool:
    """A wh-phrase or relative pronoun comes first: What did she see."""
    return any(
        found.label(child).startswith("WH") or _has_wh_word(child, found) for child in found.front
    )


# ---- Penn


def fronts_clause(found: Discontinuity) -> bool:
    """A clause comes before the verb that it depends on: It rains , he said."""
    return found.node.label == "VP" and any(map(_is_clause, found.front))


def is_it_with_clause(found: Discontinuity) -> bool:
    """The pronoun it and a clause make one phrase: It is clear that."""
    words = found.words(found.node.children[0])
    pronoun = len(words) == 1 and words[0].form.lower() in ("it", "es")
    return pronoun and any(_is_clause(c) or found.label(c) in VERB_PHRASES for c in found.back)


def is_inverted(found: Discontinuity) -> bool:
    """A child comes first, and the finite verb comes before the subject: Nor did he know."""
    return bool(found.front) and found.clause.label in ("SINV", "SQ")


# ---- NeGra and TIGER


def fronts_main_clause(found: Discontinuity) -> bool:
    """A main clause comes before the verb that it depends on."""
    return any(_is_clause(c) and not _is_subordinate(found.words(c)) for c in found.front)


def _is_subordinate(words: list[Token]) -> bool:
    """A clause with a conjunction, or with a wh-word and the finite verb at the end."""
    tags = [token.tag for token in words] or [""]
    return tags[0] in GERMAN_CONJUNCTIONS or (tags[0] in WH_TAGS and tags[-1] in GERMAN_FINITE)


def is_first_in_clause(found: Discontinuity) -> bool:
    """The clause begins with a child of the node, or with its verb if the node is a verb phrase."""
    verb_first = found.node.label in VERB_PHRASES and not any(map(_is_clause, found.back))
    return bool(found.front or verb_first) and _starts_clause(found)


def precedes_subject(found: Discontinuity) -> bool:
    """Inside the clause, a child of a verb or adjective phrase comes before another phrase."""
    return bool(found.front) and (found.node.label in VERB_PHRASES or found.node.label == "AP")


# ---- Alpino


def fronts_dutch_wh(found: Discontinuity) -> bool:
    """A wh-word begins a clause. In Alpino, it is usually outside the clause, in WHQ or REL."""
    words = [token for child in found.front[:1] for token in found.words(child)[:1]]
    is_wh = any(token.form.lower() in DUTCH_WH for token in words)
    begins = found.clause.label in CLAUSES and _starts_clause(found)
    return is_wh and begins and not _is_clause(found.front[0])


def is_first_in_main_clause(found: Discontinuity) -> bool:
    """As in German, but not in SSUB: it begins after its conjunction, so nothing is fronted."""
    return found.clause.label in ("SMAIN", "DU", "ROOT") and is_first_in_clause(found)


def is_apart_by_te(found: Discontinuity) -> bool:
    """Only te separates an infinitive from its object: het boek te lezen."""
    return bool(found.front) and all(found.token(i).form.lower() == "te" for i in found.gap)


def is_verb_cluster(found: Discontinuity) -> bool:
    """Only verbs and te separate a verb from its object: het boek heeft gelezen."""
    gap = [found.token(i) for i in found.gap]
    only_verbs = all(token.tag in DUTCH_VERBS or token.form.lower() == "te" for token in gap)
    return only_verbs and found.node.label in VERB_PHRASES and bool(found.front)


def is_stranded(found: Discontinuity) -> bool:
    """A preposition is separated from its er, daar or hier."""
    words = found.words(found.node.children[0])
    is_r_word = len(words) == 1 and words[0].form.lower() in DUTCH_R_WORDS
    return is_r_word and found.node.label == "PP"


RULES: dict[str, tuple[tuple[str, Rule], ...]] = {
    "penn": (
        (SHARED, is_shared),
        (WH, fronts_wh),
        (CIRCUMPOSITIONED, is_interrupted_clause),
        (FRONTED, fronts_clause),
        (IT, is_it_with_clause),
        (INVERSION, is_inverted),
        (TOPICALIZATION, is_displaced_left),
        (EXTRAPOSITION, is_displaced_right),
    ),
    "negra": (
        (SHARED, is_shared),
        (WH, fronts_wh),
        (CIRCUMPOSITIONED, is_interrupted_clause),
        (IT, is_it_with_clause),
        (FRONTED, fronts_main_clause),
        (TOPICALIZATION, is_first_in_clause),
        (EXTRAPOSITION, is_displaced_right),
        (INVERSION, precedes_subject),
    ),
    "alpino": (
        (SHARED, is_shared),
        (WH, fronts_dutch_wh),
        (CIRCUMPOSITIONED, is_interrupted_clause),
        (STRANDING, is_stranded),
        (TOPICALIZATION, is_first_in_main_clause),
        (TE, is_apart_by_te),
        (CROSS_SERIAL, is_verb_cluster),
        (EXTRAPOSITION, is_displaced_right),
        (INVERSION, precedes_subject),
    ),
}

# ---- heads for the rules: the groups of tags and labels to look for, in order

_VERBS = (
    "VB VBD VBG VBN VBP VBZ MD VVFIN VAFIN VMFIN VVINF VAINF VMINF VVPP VAPP VMPP VVIZU ww verb"
)
_NOUNS = "NN NNS NNP NNPS PRP EX CD NE PPER PIS PDS FM CARD n noun spec vnw tw num DT"
_ADPOSITIONS = "IN TO APPR APPRART APPO PROAV vz prep"
_VERB_HEADS = (_VERBS, "VZ VP PPART INF", "S SMAIN SSUB SQ SV1")
_NOUN_HEADS = (_NOUNS, "NP PN CNP NML MWU QP CONJ", _ADPOSITIONS)
_ADPOSITION_HEADS = (_ADPOSITIONS, "PP", _NOUNS)
_MODIFIER_HEADS = ("ADJD ADJA ADV JJ JJR RB RBR adj bw adv", "ADJP ADVP AP AVP", _VERBS, _NOUNS)


def find_head(node: Node, tree: Tree) -> Child:
    """Return the head of a node, for example a verb, a noun or a preposition, by its label."""
    wanted: tuple[str, ...] = _NOUN_HEADS
    if node.label in VERB_PHRASES or node.label in CLAUSES:
        wanted = _VERB_HEADS
    elif node.label in ("PP", "CPP"):
        wanted = _ADPOSITION_HEADS
    elif node.label in ("AP", "AVP", "ADJP", "ADVP"):
        wanted = _MODIFIER_HEADS
    labels = [tree.sentence[c].tag if isinstance(c, int) else c.label for c in node.children]
    for names in wanted:
        known = names.split()
        for child, label in zip(node.children, labels, strict=True):
            if label in known:
                return child
    return node.children[-1 if wanted is _VERB_HEADS else 0]
