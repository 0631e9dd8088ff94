"""Categories for the labels and tags of NeGra/TIGER, Penn, Alpino and IcePaHC treebanks.

In some treebanks, such as NeGra and Alpino, a single word makes no phrase. There, a word counts as
its phrase: a noun has the same category as an NP.
"""

from __future__ import annotations

from typing import Literal

Category = Literal["PP", "NP", "VP", "clause", "modifier"]

_PHRASES: dict[Category, str] = {
    "PP": "PP WHPP WPP CPP",
    "NP": "NP WHNP WNP CNP NML NX NAC QP PN MPN NM MWU DETP CARD NUMP",
    "VP": "VP CVP VZ CVZ PPART PPRES INF TI OTI AHI",
    "clause": "S SBAR SBARQ SQ SINV CS SMAIN SSUB SV1 CP REL WHREL WHSUB WHQ IP RRC DL",
    "modifier": "ADJP ADVP WHADJP WHADVP AP AVP CAP CAVP AA MTA PRT ADJX WADVP WADJP AVZ",
}
_TAGS: dict[Category, str] = {
    "PP": "IN TO APPR APPRART APPO APZR PROAV PAV vz prep P",
    "NP": (
        "NN NNS NNP NNPS PRP EX WP CD NE PPER PRF PIS PDS PWS PRELS PPOSS CARD FM"
        " n noun spec vnw tw num N NS NPR NPRS PRO WPRO NUM DT PRP$ ART PDAT PIAT PPOSAT lid det D"
    ),
    "VP": (
        "VB VBD VBG VBN VBP VBZ MD VVFIN VAFIN VMFIN VVINF VAINF VMINF VVPP VAPP VMPP VVIZU VVIMP"
        " VAIMP PTKZU ww verb VBDI VBPI VBDS VBPS VBI VAN VAG BEDI BEPI BE HV HVDI HVPI MDPI MDDI"
    ),
    "modifier": (
        "JJ JJR JJS RB RBR RBS WRB RP PDT ADJA ADJD ADV PTKNEG PTKVZ PTKA PWAV"
        " adj bw adv part ADJ ADJR ADJS ADVR ADVS NEG Q QR QS"
    ),
}
_CATEGORY_OF_LABEL = {label: name for name, labels in _PHRASES.items() for label in labels.split()}
_CATEGORY_OF_TAG = {tag: name for name, tags in _TAGS.items() for tag in tags.split()}
_CONJUNCTIONS = frozenset(["CC", "KON", "vg", "CONJ"])
_NEGRA_CO_ORDINATIONS = ["CNP", "CS", "CVP", "CPP", "CAP", "CAVP", "CAC", "CO", "CVZ", "CCP"]
_CO_ORDINATIONS = frozenset(["CONJ", "CONJP", "UCP", *_NEGRA_CO_ORDINATIONS])

ATTACHMENTS: dict[Category, str] = {name: f"{name} attachment" for name in _PHRASES}


def category(label: str, *, is_word: bool = False) -> Category | None:
    """Return the category of a phrase by its label, or of a word by its tag.

    Functions after a hyphen do not matter: NP-SBJ is an NP.
    """
    known = _CATEGORY_OF_TAG if is_word else _CATEGORY_OF_LABEL
    return known.get(label) or known.get(label.split("-")[0])


def is_coordination(label: str, *, is_word: bool = False) -> bool:
    """Return True for the tag of a co-ordinating conjunction or the label of a co-ordination."""
    return label in (_CONJUNCTIONS if is_word else _CO_ORDINATIONS)
