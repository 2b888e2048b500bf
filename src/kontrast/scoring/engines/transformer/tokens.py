"""Text to token ids for encoder-decoder models: language tokens, start token, forced prefix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Side, Target
from kontrast.scoring.languages import match_code, own_mark, require_code, split_mark
from kontrast.scoring.template import escape, source_template
from kontrast.scoring.trie import TokenPath, opening_of, path_after

SOURCE = "{source}"
_PAIR = re.compile(r"translation_\w+?_to_\w+")
_WRAPS = ("mbart", "fsmt")
"""Their decoder begins with the last token of the target."""


class Tokens:
    """The tokenizer of a model with its languages set.

    The target-language token is forced, never scored: a user of the model sets it, the model does not choose it.
    """

    def __init__(self, tokenizer: Any, config: Any, options: EngineOptions, generation: Any = None) -> None:
        self.tokenizer, self.config = tokenizer, config
        said = (getattr(where, "decoder_start_token_id", None) for where in (config, generation))
        self.start: Any = next((token for token in said if token is not None), None)
        self.options = options
        given = options.template or self._own_template(options)
        self.template = source_template(given, options)
        self.language_ids: set[int] = set()
        self.details: dict[str, str] = {}
        if mark := split_mark(given or "")[0] or ("" if options.template or not given else given[: -len(SOURCE)]):
            self.details["mark"] = mark.strip()
        codes = _language_codes(tokenizer)
        if codes:
            tokenizer.src_lang = require_code(options.source_language, codes, "--source-language")
            tokenizer.tgt_lang = require_code(options.target_language, codes, "--target-language")
            self.details["langs"] = f"{tokenizer.src_lang}-{tokenizer.tgt_lang}"
            self.language_ids = set(codes.values())
        self.names: dict[int, str] = {}
        named = ("bos", "eos", "pad", "unk", "cls", "mask", "sep")
        self._mute = {getattr(tokenizer, f"{name}_token_id", None) for name in named}

    def check_start(self) -> None:
        """Refuse a model that does not say which token its decoder begins with."""
        if self.start is None and self.config.model_type not in _WRAPS:
            raise KontrastError(
                "neither config.json nor generation_config.json of the model has decoder_start_token_id, the token "
                "that its decoder begins with: add it to config.json"
            )

    def render(self, group: Group) -> str:
        """The text that the encoder reads."""
        return self.template.render(group, self.options)

    def cut(self, text: str, side: Side) -> list[str]:
        given = {"text_target": [text]} if side == "target" else {"text": [text]}
        return [self.name(token) for token in self.tokenizer(**given)["input_ids"][0]]

    def sources(self, groups: Sequence[Group]) -> list[list[int]]:
        ids: list[list[int]] = self.tokenizer([self.render(group) for group in groups])["input_ids"]
        return ids

    def targets(self, groups: Sequence[Group]) -> list[list[TokenPath]]:
        """For each group its targets, as what the decoder reads and what it should say."""
        flat = [target for group in groups for target in group.targets]
        labels = self.tokenizer(text_target=[target.prefix + target.text for target in flat])["input_ids"]
        prefixes = sorted({target.prefix for target in flat if target.prefix})
        forced: dict[str, list[int]] = {"": []}
        if prefixes:
            ids = self.tokenizer(text_target=list(map(opening_of, prefixes)), add_special_tokens=False)["input_ids"]
            forced.update(zip(prefixes, ids, strict=True))
        paths = [self._path(row, forced[target.prefix]) for row, target in zip(labels, flat, strict=True)]
        rest = iter(paths)
        return [[next(rest) for _ in group.targets] for group in groups]

    def openings(self, groups: Sequence[Group]) -> list[tuple[int, ...]]:
        """What the decoder begins with where it writes: start token, language, forced prefix."""
        bare = [
            msgspec.structs.replace(group, targets=tuple(Target("", t.prefix.rstrip()) for t in group.targets[:1]))
            for group in groups
        ]
        return [paths[0].inputs for paths in self.targets(bare)]

    def spelled(self, tokens: Sequence[int]) -> str:
        """Written tokens as text, without special tokens, but with the separators of a context."""
        kept = [token for token in tokens if token not in self.language_ids and token not in self._mute]
        text: str = self.tokenizer.decode(kept, skip_special_tokens=False)
        return text.strip()

    def stops(self) -> list[int]:
        return [self.tokenizer.eos_token_id]

    def name(self, token: int) -> str:
        found = self.names.get(token)
        if found is None:
            found = self.names[token] = str(self.tokenizer.convert_ids_to_tokens(token))
        return found

    def _path(self, labels: list[int], prefix: list[int]) -> TokenPath:
        wraps = self.config.model_type in _WRAPS
        start = labels[-1] if wraps else self.start
        if labels[-1] in self.language_ids:  # the first mBART ends its targets with the language
            labels = labels[:-1]
        language = labels[:1] if labels[0] in self.language_ids else []
        return path_after([start, *language, *prefix], [start, *labels])

    def _own_template(self, options: EngineOptions) -> str | None:
        """Marian's ``>>de<<`` for several target languages, T5's own instruction."""
        target = options.target_language
        if self.config.model_type == "marian":
            mark, marks = own_mark(self.tokenizer.get_vocab(), target)
            if not marks:
                return None
            return escape(mark or require_code(target, marks, "--target-language")) + " " + SOURCE
        tasks = getattr(self.config, "task_specific_params", None) or {}
        pairs = {name.removeprefix("translation_"): task for name, task in tasks.items() if _PAIR.fullmatch(name)}
        if not pairs or not target:
            return None
        source = match_code(options.source_language or "en", {pair.split("_to_")[0] for pair in pairs})
        pair = match_code(target, [p.split("_to_")[1] for p in pairs if p.split("_to_")[0] == source])
        if pair is None:
            raise KontrastError(
                f"the model has its own instruction for {', '.join(pairs)}, none for {options.source_language} "
                f"to {target}: give the instruction from its training, as in --template 'translate: {{source}}'"
            )
        return escape(str(pairs[f"{source}_to_{pair}"].get("prefix", ""))) + SOURCE


def _language_codes(tokenizer: Any) -> dict[str, int]:
    """The tokenizer's language codes with their token ids; empty where it has none."""
    if not hasattr(tokenizer, "tgt_lang"):
        return {}
    if getattr(tokenizer, "lang_code_to_id", None):
        return dict(tokenizer.lang_code_to_id)
    names = getattr(tokenizer, "additional_special_tokens", None) or getattr(tokenizer, "extra_special_tokens", [])
    return {str(name): tokenizer.convert_tokens_to_ids(str(name)) for name in names if "_" in str(name)}
