"""Which words translate which: dictionaries of the user's, what an aligner learnt on a corpus, a thesaurus.

Four kinds of files are read: the folder that ``build alignment`` makes (its ``words.tsv``), a table of one's own
(source words, a tab, target words, each parted by semicolons; a line per sense), Ding's
(``Bank {f}; Geldhaus {n} :: bank``, as in Debian's trans-de-en), and a thesaurus of the target language in the format
of MyThes (LibreOffice's, Debian's mythes-de), which says what words are alike.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations, islice
from pathlib import Path

from kontrast.errors import InputError
from kontrast.extras import simplemma
from kontrast.io.files import open_lines
from kontrast.language import lexicons
from kontrast.language.lexicon import Lexicon

WORDS = "words.tsv"
"""What ``build alignment`` counts: source word, target word, how often they were linked."""

_RANKED = 10_000
"""Target words that count as common, and source words that count as having many translations."""
_SEEN, _SHARE, _SHARE_BACK = 3, 0.02, 0.05
"""A learnt translation was linked so often, with this share of its source word's links and of its own."""
_FAINT, _FAINT_SHARE = 2, 0.002
"""From so many links, and this share of the source word's, one may translate the other: no other sense."""
_LIGHT = 20
"""Of so many words of a side the commonest is linked with anything (*get*, *tun*): nothing is learnt of it."""
_CROSSED = 0.08
"""The share of source words that two senses may have in common where a thesaurus parts them."""
_STEM = 4
_TERMS = 6
_ASIDE = re.compile(r"\{[^}]*\}|\[[^]]*\]|\([^)]*\)|<[^>]*>")
_OTHER = re.compile(r"\((?:Antonym|Oberbegriff|Unterbegriff)\)")
_MYTHES = re.compile(r"[^|\t]*\|\d+")
_OBJECT = re.compile(r"\b(?:to|sth|sb|jdn|jdm|jd|jds|etw)\b\.?|[./]")

Terms = list[list[str]]


class BilingualWords:
    """Source words of target words and back, by lemma; and which words of one side are alike."""

    def __init__(self) -> None:
        self.there: dict[str, Counter[str]] = defaultdict(Counter)
        self.back: dict[str, Counter[str]] = defaultdict(Counter)
        self._frequency: Counter[str] = Counter()
        self._alike: tuple[dict[str, set[str]], dict[str, set[str]]] = (defaultdict(set), defaultdict(set))
        self._synonyms: dict[str, set[str]] = defaultdict(set)
        self.faint: dict[str, set[str]] = defaultdict(set)
        """Source words that a learnt target word was linked with, few times too."""
        self.learnt: set[tuple[str, str]] = set()
        """Pairs that an aligner found: only a thesaurus tells which of a source word's are other senses."""

    def add(self, sources: Terms, targets: Terms, count: int = 1) -> None:
        """Terms of one sense on both sides; those of one word translate each other."""
        single = [[term[0] for term in side if len(term) == 1] for side in (sources, targets)]
        for source in single[0]:
            for target in single[1]:
                self.there[source][target] += count
                self.back[target][source] += count
        for side, terms, words in zip(self._alike, (sources, targets), single, strict=True):
            for group in (set(words), *_exchanged(terms)):
                for word in group:
                    side[word] |= group
        for term in targets:
            for word in term:
                self._frequency[word] += count

    def add_synonyms(self, words: set[str]) -> None:
        """Target words of one meaning."""
        for word in words:
            self._synonyms[word] |= words

    @cached_property
    def _common(self) -> set[str]:
        return {word for word, _ in self._frequency.most_common(_RANKED)}

    @cached_property
    def _many(self) -> set[str]:
        ranked = sorted(self.there, key=lambda source: (-len(self.there[source]), source))
        return set(ranked[:_RANKED])

    def means(self, target: str, sources: Iterable[str]) -> str | None:
        """Which of these source words a target word translates, or a synonym of it: the likeliest."""
        wanted = set(sources)
        for words in ((target,), self._synonyms.get(target, ())):
            known = Counter[str]()
            for word in words:
                known.update({source: n for source, n in self.back.get(word, {}).items() if source in wanted})
            if known:
                return max(sorted(known), key=lambda source: (known[source], len(source)))
        return None

    def senses(self, source: str, target: str) -> list[str]:
        """Other translations of a source word, in another sense than the target word's; they are common words."""
        if source not in self._many:
            return []
        found = [other for other in self.there[source] if self._is_apart(source, target, other)]
        return sorted(found, key=lambda other: (-self._frequency[other], other))

    def _is_apart(self, source: str, target: str, other: str) -> bool:
        """Do the two share the source word and nothing else, neither directly nor through words that are alike?

        A thesaurus that has both tells better what is alike: then they may share a few source words of such words.
        """
        alike, same = self._alike[1], self._synonyms
        if other not in self._common or alike[target] & alike[other] or _same_stem(target, other):
            return False
        known = target in same and other in same
        if not known and {(source, target), (source, other)} & self.learnt:
            return False
        one, two = self._near(source, target) - {source}, self._near(source, other) - {source}
        most = _CROSSED * min(len(one), len(two)) if known else 0
        apart = not (known and same[target] & same[other]) and len(one & two) <= most
        return apart and len(self.back[other]) > 1

    def _near(self, source: str, target: str) -> set[str]:
        """The source words of a target word and of what is like it, and what is like those."""
        own = {word for synonym in self._alike[1][target] for word in self.back[synonym]}
        own |= self.faint.get(target, set())
        return own.union(*(self._alike[0][word] for word in self.back[target] if word != source))


def _same_stem(one: str, other: str) -> bool:
    """*Macht* and *Machtfülle*, *Ufer* and *Seeufer*: one is in the other, or they begin or end alike."""
    a, b = one.lower(), other.lower()
    return a[:_STEM] == b[:_STEM] or a.endswith(b[-_STEM - 1 :]) or b.endswith(a[-_STEM - 1 :])


@lru_cache(maxsize=2)
def read_bilingual_words(
    paths: tuple[str, ...], source: str, target: str, lexicon: str | None = None
) -> BilingualWords:
    """The dictionaries in files or folders; the target language's lexicon tells the lemmas of learnt words."""
    made = BilingualWords()
    for path in map(Path, paths):
        if path.is_dir():
            _add_learnt(made, path / WORDS, source, lexicons.lexicon(target, lexicon))
        elif _MYTHES.fullmatch("".join(islice(open_lines(path), 1, 2))):
            _add_thesaurus(made, path)
        else:
            _add_entries(made, path)
    if not made.there:
        raise InputError(paths[0], "has no words with translations")
    return made


def _add_thesaurus(made: BilingualWords, path: Path) -> None:
    """Lines of MyThes with the words of one meaning; what is said of a word in brackets is no part of it.

    Left out are opposites, and words for what the others are a kind of: a head and a hand are parts of the body.
    """
    for line in open_lines(path):
        what, _, terms = line.partition("|")
        if what.startswith(("-", "(")) and terms:
            words = (_ASIDE.sub("", term).strip() for term in terms.split("|") if not _OTHER.search(term))
            made.add_synonyms({word for word in words if word and " " not in word})


def _add_entries(made: BilingualWords, path: Path) -> None:
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        sides = line.split(" :: ") if " :: " in line else line.split("\t")[::-1]
        if len(sides) < 2:
            raise InputError(path, "expected source words, a tab, target words; or Ding's ::", line=number)
        for targets, sources in zip(*(side.split(" | ") for side in sides[:2]), strict=False):
            made.add(_terms(sources.lower()), _terms(targets))


def _add_learnt(made: BilingualWords, path: Path, source: str, lexicon: Lexicon) -> None:
    if not path.is_file():
        raise InputError(path.parent, "expected a dictionary, or a folder made by `kontrast build alignment`")
    counts: Counter[tuple[str, str]] = Counter()
    totals: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    verbs: set[str] = set()  # each stands with other words
    for number, line in enumerate(open_lines(path), start=1):
        parts = line.split("\t")
        if len(parts) != 3 or not parts[2].isdecimal():
            raise InputError(path, "expected source word, target word, count", line=number)
        readings = lexicon.analyse(parts[1]) or lexicon.analyse(parts[1].lower())
        verbs |= {r.lemma for r in readings[:1] if r.pos == "VERB"}
        pair = lemmas(parts[0], source)[-1], readings[0].lemma if readings else parts[1]
        counts[pair] += int(parts[2])
        for total, word in zip(totals, pair, strict=True):
            total[word] += int(parts[2])
    light = [{word for word, _ in total.most_common(len(total) // _LIGHT)} for total in totals]
    for (one, other), count in counts.items():
        if count >= max(_FAINT, _FAINT_SHARE * totals[0][one]):
            made.faint[other].add(one)
        if one in light[0] or other in light[1] | verbs:
            continue
        if count >= max(_SEEN, _SHARE * totals[0][one], _SHARE_BACK * totals[1][other]):
            made.add([[one]], [[other]], count)
            made.learnt.add((one, other))


def _terms(text: str) -> Terms:
    """What semicolons part, in words, without what is said of them in brackets."""
    found = (_OBJECT.sub(" ", _ASIDE.sub(" ", term)).split() for term in text.split(";"))
    return [term for term in found if term]


def _exchanged(terms: Terms) -> Iterator[set[str]]:
    """Words, or last parts of words, in which two terms of one sense differ: they are alike."""
    for one, other in combinations(terms[:_TERMS], 2):
        apart = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        if len(one) != len(other) or len(apart) != 1:
            continue
        if len(one) > 1:
            yield set(apart[0])
            continue
        start = next((k for k, (a, b) in enumerate(zip(*apart[0], strict=False)) if a != b), 0)
        ends = [word[start:] for word in apart[0]]
        if start > 2 and min(map(len, ends)) > 3:
            yield {end.capitalize() if apart[0][0][0].isupper() else end for end in ends}


@lru_cache(maxsize=50_000)
def lemmas(word: str, language: str) -> tuple[str, ...]:
    """A source word as it stands and its lemma, in small letters."""
    low = word.lower()
    return tuple(dict.fromkeys((low, simplemma.lemmatize(low, lang=language).lower())))
