"""Common abbreviations of some languages, for treebanks that do not have them."""

from __future__ import annotations

from collections.abc import Iterator

# Without their period, in the case they are written in. What is a word, too, is missing, or stands
# below: such a word may end a sentence.
_ALWAYS = {
    "english": (
        "Mr Mrs Ms Messrs Dr Drs Prof Rev Hon Sr Jr St Ste Mt Ft Gen Col Capt Lt Sgt Maj Cmdr "
        "Adm Gov Sen Rep Pres Supt Esq Inc Corp Co Ltd Bros Dept Univ Assn Ave Blvd Hwy Nos "
        "Vols Fig Figs Eqs Refs Sect Chap Pp pp vs cf etc approx dept govt esp incl eds "
        "viz ca Jan Feb Aug Sept Oct Nov Dec e.g i.e a.m p.m Ph.D"
    ),
    "german": (
        "Hr Hrn Fr Frl Dr Prof Dipl Ing Mag Nr Nrn Abs Ziff Kap Bd Bde Abb Tab Anm Hrsg hrsg "
        "Aufl Jg Str Tel Co Ltd Inc St geb gest verh ehem bzw usw usf etc ca evtl ggf inkl "
        "exkl zzgl abzgl mind vgl lt gem bzgl insb insbes sog allg Mio Mrd Tsd Std Sek "
        "Feb Aug Sept Okt Nov Dez"
    ),
    "dutch": (
        "dhr mevr mw mej mr drs dr ir ing prof ds jhr jkvr kol kapt nr nrs art blz pag "
        "hfdst fig afb vgl bijv bv enz etc ca resp incl excl evt ong zgn zg jl jr sr St tel "
        "mln mld feb mrt apr aug sept okt nov dec o.a d.w.z m.a.w i.p.v t.a.v m.b.t n.a.v "
        "i.v.m e.d e.a a.s"
    ),
    "icelandic": (
        "hr fr dr sr sbr skv nr kl bls kap kr klst tbl árg útg ritstj próf ca etc jan feb apr "
        "ág sept okt nóv des þús millj t.d m.a þ.e þ.e.a.s o.s.frv o.fl o.þ.h a.m.k s.s "
        "m.ö.o þ.m.t e.t.v m.t.t"
    ),
}
_BEFORE_NUMBERS = {
    "english": "No no Sec sec Ch ch Ref ref Eq eq Vol vol Art art p P fig",
    "german": "Art S Min Jan max",
    "dutch": "p min jan",
    "icelandic": "gr st mín sek",
}


def abbreviations(language: str) -> Iterator[tuple[str, str]]:
    """Yield the abbreviations of a language, each with the kinds of chunks that may follow it.

    Kinds are those of `chunks.before_what`. An abbreviation never ends a text: there, its period
    could be that of the sentence.
    """
    name = language.casefold()
    for kinds, table in (("lu0o", _ALWAYS), ("0", _BEFORE_NUMBERS)):
        for word in table.get(name, "").split():
            yield f"{word}.", kinds
            if word[0].islower():
                yield f"{word[0].upper()}{word[1:]}.", kinds
