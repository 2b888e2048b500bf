"""German closed classes, written by hand: which STTS tags a function word can have."""

from __future__ import annotations

__all__ = [
    "AUXILIARIES",
    "CLOSED",
    "CONTRACTIONS",
    "DEFINITE",
    "DETERMINERS",
    "MODALS",
    "PARTICLES",
    "PREPOSITION_CASES",
    "PRONOUNS",
]

AUXILIARIES = frozenset(("sein", "haben", "werden"))
MODALS = frozenset(("können", "müssen", "sollen", "wollen", "dürfen", "mögen"))

DEFINITE = {
    "der": (("m", "ns"), ("f", "gs"), ("f", "ds"), ("x", "gp")),
    "die": (("f", "ns"), ("f", "as"), ("x", "np"), ("x", "ap")),
    "das": (("n", "ns"), ("n", "as")),
    "den": (("m", "as"), ("x", "dp")),
    "dem": (("m", "ds"), ("n", "ds")),
    "des": (("m", "gs"), ("n", "gs")),
}
"""Definite articles: gender (x: any), case and number."""

_DER_ENDINGS = {
    "er": (("m", "ns"), ("f", "gs"), ("f", "ds"), ("x", "gp")),
    "e": (("f", "ns"), ("f", "as"), ("x", "np"), ("x", "ap")),
    "es": (("n", "ns"), ("n", "as"), ("m", "gs"), ("n", "gs")),
    "en": (("m", "as"), ("x", "dp"), ("m", "gs"), ("n", "gs")),
    "em": (("m", "ds"), ("n", "ds")),
}
_EIN_ENDINGS = {
    "": (("m", "ns"), ("n", "ns"), ("n", "as")),
    "e": (("f", "ns"), ("f", "as"), ("x", "np"), ("x", "ap")),
    "er": (("f", "gs"), ("f", "ds"), ("x", "gp")),
    "es": (("m", "gs"), ("n", "gs")),
    "en": (("m", "as"), ("x", "dp")),
    "em": (("m", "ds"), ("n", "ds")),
}
DETERMINERS: dict[str, tuple[tuple[str, str], ...]] = {
    **DEFINITE,
    **{
        stem + ending: cells
        for stem in ("dies", "jen", "jed", "welch", "manch", "solch", "all", "jeglich", "sämtlich")
        for ending, cells in _DER_ENDINGS.items()
    },
    **{
        stem + ending: cells
        for stem in ("ein", "kein", "mein", "dein", "sein", "ihr", "unser", "euer")
        for ending, cells in _EIN_ENDINGS.items()
    },
    **{stem + ending: cells for stem in ("eur", "unsr") for ending, cells in _EIN_ENDINGS.items() if ending},
}
"""All determiners: the cells of gender, case and number that each form can fill."""

PRONOUNS: dict[str, tuple[str, ...]] = {
    "ich": ("1ns",),
    "du": ("2ns",),
    "er": ("3nsm",),
    "sie": ("3nsf", "3asf", "3np", "3ap"),
    "es": ("3nsn", "3asn"),
    "wir": ("1np",),
    "ihr": ("2np", "3dsf"),
    "mich": ("1as",),
    "mir": ("1ds",),
    "dich": ("2as",),
    "dir": ("2ds",),
    "ihn": ("3asm",),
    "ihm": ("3dsm", "3dsn"),
    "uns": ("1ap", "1dp"),
    "euch": ("2ap", "2dp"),
    "ihnen": ("3dp",),
    "man": ("3ns",),
    "'s": ("3nsn", "3asn"),
}
"""Personal pronouns: person, case, number, gender."""

CONTRACTIONS = {
    "am": ("an", "dem"),
    "ans": ("an", "das"),
    "im": ("in", "dem"),
    "ins": ("in", "das"),
    "zum": ("zu", "dem"),
    "zur": ("zu", "der"),
    "vom": ("von", "dem"),
    "beim": ("bei", "dem"),
    "aufs": ("auf", "das"),
    "fürs": ("für", "das"),
    "durchs": ("durch", "das"),
    "ums": ("um", "das"),
    "übers": ("über", "das"),
    "unters": ("unter", "das"),
    "vors": ("vor", "das"),
    "hinterm": ("hinter", "dem"),
    "überm": ("über", "dem"),
    "unterm": ("unter", "dem"),
    "vorm": ("vor", "dem"),
}

_APPR_DAT = ["aus", "bei", "mit", "nach", "seit", "von", "zu", "gegenüber", "ab", "binnen", "entgegen", "gemäß", "laut", "nahe", "nebst", "samt", "zufolge", "außer", "dank", "mitsamt", "entsprechend", "zuliebe"]
_APPR_ACC = ["durch", "für", "gegen", "ohne", "um", "bis", "per", "pro", "wider", "betreffend"]
_APPR_GEN = ["wegen", "während", "trotz", "statt", "anstatt", "aufgrund", "mithilfe", "innerhalb", "außerhalb", "oberhalb", "unterhalb", "angesichts", "anhand", "anlässlich", "bezüglich", "hinsichtlich", "infolge", "inmitten", "jenseits", "diesseits", "mangels", "mittels", "seitens", "ungeachtet", "unweit", "zugunsten", "zulasten", "zwecks", "abseits", "anstelle", "einschließlich", "abzüglich", "zuzüglich", "beiderseits", "entlang", "hinsichtlich", "namens", "vermöge", "kraft", "bezüglich", "inklusive", "exklusive"]
_APPR_TWO = ["an", "auf", "in", "über", "unter", "vor", "hinter", "neben", "zwischen"]
PREPOSITION_CASES: dict[str, str] = {
    **dict.fromkeys(_APPR_DAT, "d"),
    **dict.fromkeys(_APPR_ACC, "a"),
    **dict.fromkeys(_APPR_GEN, "gd"),
    **dict.fromkeys(_APPR_TWO, "ad"),
    "gegenüber": "d",
    "laut": "dg",
    "dank": "dg",
    "binnen": "dg",
    "ab": "da",
    "als": "nadg",
    "wie": "nadg",
}

PARTICLES = frozenset(
    ["ab", "an", "auf", "aus", "bei", "da", "dabei", "dagegen", "daher", "dahin", "daneben", "dar", "daran", "darauf", "davon", "davor", "dazu", "dazwischen", "durch", "ein", "einher", "empor", "entgegen", "entlang", "entzwei", "fehl", "fern", "fest", "fort", "frei", "gegenüber", "gleich", "heim", "her", "herab", "heran", "herauf", "heraus", "herbei", "herein", "herum", "herunter", "hervor", "hin", "hinab", "hinauf", "hinaus", "hinein", "hinter", "hinterher", "hinüber", "hinunter", "hinweg", "hinzu", "hoch", "inne", "klar", "kund", "los", "mit", "nach", "nahe", "nieder", "offen", "preis", "schief", "schwer", "sicher", "statt", "still", "teil", "um", "umher", "unter", "vor", "voran", "voraus", "vorbei", "vorher", "vorüber", "vorweg", "wahr", "weg", "weiter", "wett", "wieder", "zu", "zunichte", "zurecht", "zurück", "zusammen", "zuvor", "zuwider", "über", "überein", "dran", "drauf", "raus", "rein", "runter", "rüber", "rum", "ran", "bereit", "bekannt", "tot", "fertig", "leid", "stand", "heraus", "kaputt", "hintan", "bevor", "vonstatten", "zugrunde", "infrage", "zustande", "zutage"]
)

_TAGGED = {
    "ART": "der die das den dem des ein eine einen einem einer eines",
    "PDS": "der die das den dem des denen dessen deren dies diese dieser dieses diesen diesem jene jener jenes jenen jenem "
    "derjenige diejenige dasjenige diejenigen derjenigen denjenigen demjenigen derselbe dieselbe dasselbe dieselben",
    "PDAT": "diese dieser dieses diesen diesem jene jener jenes jenen jenem dies dieselbe derselbe dasselbe dieselben "
    "derselben denselben demselben diejenigen derjenige diejenige dasjenige solche solcher solches solchen solchem",
    "PRELS": "der die das den dem denen dessen deren welcher welche welches welchen welchem was",
    "PRELAT": "dessen deren",
    "PPER": "ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen 's meiner deiner seiner",
    "PRF": "sich mich mir dich dir uns euch einander",
    "PPOSAT": " ".join(s + e for s in ("mein", "dein", "sein", "ihr", "unser", "euer") for e in _EIN_ENDINGS)
    + " eure eurer eures euren eurem unsre unsrer unsren unsrem",
    "PIS": "man etwas nichts alles alle allem allen aller jemand jemandem jemanden niemand niemandem niemanden einer eine "
    "eines einem einen keiner keine keines keinem keinen viele vieles vielen vieler viel wenige wenigen weniges wenig "
    "einige einigen einiger einiges mehrere mehreren mehrerer jeder jede jedes jedem jeden andere anderen anderer "
    "anderes anderem beide beiden beides beider manche manchen mancher manches mehr ein was irgendetwas irgendwas "
    "irgendwer genug sämtliche weniger solche andre andern",
    "PIAT": "kein keine keinen keinem keiner keines viele vielen vieler viel wenige wenigen weniger wenig einige einigen "
    "einiger einiges mehrere mehreren mehrerer jeder jede jedes jedem jeden alle allen aller alles allem all beide "
    "beiden beider manche manchen mancher manches mehr etwas solche solchen solcher sämtliche sämtlichen solch "
    "irgendeine irgendein irgendeinen irgendeiner irgendeinem genug lauter keinerlei jegliche jeglichen jeglicher "
    "welche welcher ein derlei",
    "PWS": "wer was wen wem wessen welche welcher welches welchen",
    "PWAT": "welche welcher welches welchen welchem wessen wieviel",
    "PWAV": "wie wo wann warum weshalb wieso woher wohin wodurch wofür womit woran worauf woraus worin worüber wovon wozu "
    "weswegen wobei wonach wogegen worum",
    "PAV": "dabei dadurch dafür dagegen daher dahin damit danach daneben daran darauf daraus darin darum darunter darüber "
    "davon davor dazu dazwischen deshalb deswegen hierbei hierfür hiermit hierzu demnach außerdem trotzdem dennoch "
    "stattdessen hierdurch hiervon hieran hierauf hieraus hierin hierüber demzufolge infolgedessen währenddessen "
    "seitdem indessen vordem nachdem zudem dran drauf drin drum",
    "APPR": " ".join(_APPR_DAT + _APPR_ACC + _APPR_GEN + _APPR_TWO) + " als wie via plus minus versus à",
    "APPO": "zufolge gegenüber entlang nach halber wegen zuliebe entgegen zugunsten hindurch über",
    "APZR": "an her aus hinaus hin hinweg herum hindurch auf",
    "APPRART": " ".join(CONTRACTIONS),
    "KON": "und oder aber sondern denn sowie doch sowohl weder noch entweder bzw. beziehungsweise wie als jedoch nur & "
    "allein ja und/oder",
    "KOUS": "dass daß weil wenn ob obwohl während nachdem bevor damit sodass da falls sofern soweit sobald solange indem als "
    "wie bis ehe seit seitdem zumal obgleich obschon wobei wohingegen indes insofern so soviel sooft wenngleich "
    "wodurch nur statt ohne",
    "KOUI": "um ohne statt anstatt außer",
    "KOKOM": "als wie denn",
    "PTKNEG": "nicht",
    "PTKZU": "zu",
    "PTKANT": "ja nein danke bitte doch",
    "PTKA": "zu am allzu",
    "PTKVZ": " ".join(sorted(PARTICLES)),
    "ADV": "auch noch nur schon so sehr hier dort dann jetzt heute gestern morgen immer wieder mehr etwa etwas nun ja doch "
    "aber bereits oft nie niemals wohl vielleicht sogar zwar also allerdings jedoch da damals dabei selbst ganz gar "
    "zum bisher eben erst fast gerne gern kaum manchmal meist mindestens nämlich sonst überhaupt weiter ziemlich "
    "zuletzt zunächst zuvor bald besonders dennoch ebenso einmal endlich genau genug hingegen inzwischen "
    "jedenfalls lange leider längst los mal mitten nirgends rund sofort stets teils teilweise "
    "umso vorher wenigstens weniger wenig viel weit wieso zudem zugleich zusammen ab her hin weg zurück rund "
    "beispielsweise derzeit einst erstmals ferner gleichzeitig größtenteils insbesondere insgesamt irgendwann "
    "irgendwie letztlich möglicherweise nebenbei nochmals schließlich schätzungsweise seither sodann somit "
    "soeben später statt überall unterdessen vielmehr völlig vorbei vorerst wiederum ziemlich zeitweise "
    "allein alleine anders außen daheim darum daher demnächst drinnen draußen ebenfalls eher ehemals "
    "einigermaßen entlang hinten hinaus indes innen kürzlich links rechts mittlerweile nachher nebenan neulich "
    "normalerweise oben unten vorn vorne unlängst ungefähr beinahe beinah circa höchst höchstens zumindest "
    "bislang bloß dafür denn desto je einander hierher hinauf womöglich freilich gleichwohl übrigens sowieso "
    "jeweils jederzeit jemals halt irgendwo anfangs abends morgens nachts tagsüber heutzutage vorhin nunmehr "
    "mehrmals erneut weiterhin keineswegs keinesfalls andernfalls ansonsten dahin dorthin hierhin dadurch wo "
    "am beim meistens mindestens spätestens frühestens wenigstens bestens rückwärts vorwärts aufwärts abwärts",
    "VAFIN": "bin bist ist sind seid war warst waren wart wäre wären wärst wärt sei seien seist habe hast hat haben habt hatte "
    "hatten hattest hattet hätte hätten hättest hättet habest werde wirst wird werden werdet wurde wurden wurdest "
    "wurdet würde würden würdest würdet ward",
    "VAINF": "sein haben werden",
    "VAPP": "gewesen gehabt geworden worden",
    "VMFIN": "kann kannst können könnt konnte konnten könnte könnten könntest könne muss muß musst müssen müsst musste mussten "
    "müsste müssten müsse mußte mußten müßte müßten soll sollst sollen sollt sollte sollten solltest solltet solle "
    "will willst wollen wollt wollte wollten wolltest wolle darf darfst dürfen dürft durfte durften dürfte dürften "
    "dürfe mag magst mögen mögt mochte mochten möchte möchten möchtest möge",
    "VMINF": "können müssen sollen wollen dürfen mögen",
    "VMPP": "gekonnt gemusst gesollt gewollt gedurft gemocht",
    "CARD": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn zwanzig dreißig vierzig "
    "fünfzig hundert tausend beide ein",
    "ITJ": "ach oh hallo hey ah na äh",
}
CLOSED: dict[str, frozenset[str]] = {}
"""The tags of each function word, lower-cased."""
for _tag, _words in _TAGGED.items():
    for _word in _words.split():
        CLOSED[_word] = CLOSED.get(_word, frozenset()) | {_tag}
