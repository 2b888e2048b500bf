"""`init`: a table to begin a suite of one's own with, explained in comments."""

from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io.names import is_language
from kontrast.io.tables import is_table, write_rows

_HEADER = ["source", "right", "wrong", "wrong2", "phenomenon", "context", "difficulty"]
_COMMENTS = (
    "# Each row is one decision: a source, its right translation and one or more wrong ones.",
    "# wrong2, wrong3 … may stay empty. phenomenon names what is tested. context has the sentences before,",
    "# a line each. Any other column (difficulty) is a tag; results can be grouped by it. Rows that begin with # "
    "are left out.",
)
_EXAMPLES = {
    "de": (
        "Die Lampe war alt. Sie leuchtete.",
        "Die Lampe war alt. Er leuchtete.",
        "Die Lampe war alt. Es leuchtete.",
    ),
    "es": ("La lámpara era vieja. Era roja.", "La lámpara era vieja. Era rojo.", ""),
    "fr": ("La lampe était vieille. Elle brillait.", "La lampe était vieille. Il brillait.", ""),
    "it": ("La lampada era vecchia. Era rossa.", "La lampada era vecchia. Era rosso.", ""),
    "nl": ("De lamp was oud. Hij brandde.", "De lamp was oud. Het brandde.", ""),
    "pt": ("A lâmpada era velha. Era vermelha.", "A lâmpada era velha. Era vermelho.", ""),
}
_SOURCES = dict.fromkeys(("es", "it", "pt"), "The lamp was old. It was red.")


def init(path: str | Path, pair: str) -> Path:
    """Write a commented example of a table (``.csv``, ``.tsv`` or ``.xlsx``) for a pair of languages.

    An existing file is not changed. There is an example row for English into some languages; other pairs get only
    the columns and the comments.

    >>> import tempfile
    >>> path = init(Path(tempfile.mkdtemp()) / "my.csv", "en-pt")
    >>> path.read_text(encoding="utf-8").splitlines()[0]
    '# languages: en-pt'
    """
    path = Path(path)
    source, dash, target = pair.partition("-")
    if not dash or not (is_language(source) and is_language(target)):
        raise KontrastError(f"--pair: expected two languages as in en-pt, found {pair!r}")
    if not is_table(path):
        raise KontrastError(f"{path}: expected a name that ends in .csv, .tsv or .xlsx")
    if path.exists():
        raise InputError(path, "already exists; choose another name")
    rows = [[f"# languages: {pair}"], *([comment] for comment in _COMMENTS), _HEADER]
    if source == "en" and target in _EXAMPLES:
        text = _SOURCES.get(target, "The lamp was old. It glowed.")
        rows.append([text, *_EXAMPLES[target], "gender agreement", "We were in the attic.", "easy"])
    write_rows(path, rows)
    return path
