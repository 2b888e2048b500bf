"""Closed classes of French, written by hand: verbs that carry agreement, clitics, fixed impersonal phrases."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ETRE = _words(
    "suis es est sommes êtes etes sont étais était étions étiez étaient fus fut fûmes fûtes furent serai seras sera "
    "serons serez seront serais serait serions seriez seraient sois soit soyons soyez soient fusse fût fussent "
    "etais etait etaient"
)
AVOIR = _words(
    "ai as a avons avez ont avais avait avions aviez avaient eus eut eûmes eûtes eurent aurai auras aura aurons "
    "aurez auront aurais aurait aurions auriez auraient aie aies ait ayons ayez aient eût eussent"
)
COPULAS = (
    "deven",
    "devien",
    "devin",
    "reste",
    "resta",
    "restè",
    "sembl",
    "paraiss",
    "paraît",
    "parait",
    "paru",
    "demeur",
)
"""Beginnings of the finite forms of verbs whose predicate agrees with the subject."""
CLITICS = _words("ne n' se s' me m' te t' lui leur y en le la les l' nous vous")
"""What may stand between a subject clitic and its verb."""
FILLERS = _words(
    "pas plus jamais point guère rien déjà encore toujours souvent bien mal très trop si aussi tellement assez "
    "soudain comme soit flambant depuis longtemps "
    "peu moins presque quasi quasiment plutôt vite peut-être enfin donc alors même aujourd'hui "
    "maintenant vraiment parfois ensuite ensemble là ici ainsi tant mieux pourtant cependant certes hélas "
    "également désormais bientôt sûrement surtout seulement vachement super hyper "
    "beaucoup davantage autant"
)
"""Adverbs that do not end in -ment and may stand between a verb and its predicate."""
RENDERING = (
    "trouv", "cro", "rend", "laiss", "juge", "jugé", "imagin", "gard", "voul", "veu", "préf", "tien", "ten",
    "sen", "sai", "déclar", "estim", "pens", "voi", "ramen", "renvo",
)  # fmt: skip
"""Beginnings of verbs that take an adjective of their object (je la trouve belle)."""
IMPERSONAL = (
    ("faut",), ("fallait",), ("faudra",), ("faudrait",), ("fallut",), ("faille",), ("fallu",), ("falloir",),
    ("pleut",), ("pleuvait",), ("pleuvra",), ("neige",), ("neigeait",), ("gèle",),
    ("s'", "agit"), ("s'", "agissait"), ("s'", "agira"), ("s'", "agirait"), ("s'", "agisse"), ("s'", "agir"),
    ("vaut", "mieux"), ("vaudrait", "mieux"), ("valait", "mieux"), ("suffit",), ("suffisait",), ("suffira",),
    ("suffirait",), ("se", "peut"),
    ("se", "pourrait"), ("se", "fait", "tard"), ("était", "une", "fois"), ("est", "temps"), ("était", "temps"),
    ("est", "tard"), ("était", "tard"), ("est", "tôt"), ("semblerait",), ("paraît", "que"), ("paraît", "qu'"),
    ("semble", "que"), ("semble", "qu'"), ("fait", "froid"), ("fait", "sec"), ("fait", "chaud"), ("fait", "nuit"),
    ("fait", "jour"),
    ("fait", "beau"), ("fait", "noir"), ("est", "question"), ("n'", "est", "pas", "question"),
    *(("existe", word) for word in ("un", "une", "des", "de", "d'", "deux", "trois", "plusieurs")),
    *(("manque", word) for word in ("un", "une", "des", "que", "qu'", "le", "la", "les", "l'")),
    *(("reste", word) for word in "encore un une des de d' deux quelques plus que qu' à du peu beaucoup".split()),
    ("en", "faut"), ("en", "fallait"), ("en", "faudra"), ("en", "faudrait"),
    ("convient",), ("importe",), ("apparaît", "que"), ("apparaît", "qu'"), ("s'", "avère", "que"), ("en", "va"),
    ("s'", "ensuit"), ("en", "soit"), ("se", "trouve", "que"), ("se", "trouve", "qu'"), ("en", "résulte"),
    ("arrive", "que"), ("arrive", "qu'"), ("advient",), ("doit", "y"), ("peut", "y"),
    ("va", "y"), ("pourrait", "y"), ("devrait", "y"), ("va", "falloir"), ("m'", "arrive"), ("t'", "arrive"),
)  # fmt: skip
"""What follows *il* where it means nothing: no other gender fits there, and no one would say it."""
