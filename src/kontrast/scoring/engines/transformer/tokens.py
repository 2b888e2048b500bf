"""Text to token ids for encoder-decoder models: language tokens, start token, forced prefix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Side, Target
from kontrast.scoring.languages import match_code
from kontrast.scoring.template import escape, source_template
from kontrast.scoring.trie import TokenPath

__all__ = ["Tokens"]


class Tokens:
    """The tokenizer of a model with its languages set.

    The target-language token is forced, never scored: a user of the model sets it, the model does not choose it.
    """

    def __init__(self, tokenizer: Any, config: Any, options: EngineOptions) -> None:
        self.tokenizer, self.config = tokenizer, config
        self.options = options
        self.template = source_template(options.template or self._own_template(options), options)
        self.language_ids: set[int] = set()
        self.details: dict[str, str] = {}
        codes = _language_codes(tokenizer)
        if codes:
            tokenizer.src_lang = self._code(options.source_language, codes, "--source-language")
            tokenizer.tgt_lang = self._code(options.target_language, codes, "--target-language")
            self.details["langs"] = f"{tokenizer.src_lang}-{tokenizer.tgt_lang}"
            self.language_ids = set(codes.values())
        self.names: dict[int, str] = {}
        named = ("bos", "eos", "pad", "unk", "cls", "mask", "sep")
        self._mute = {getattr(tokenizer, f"{name}_token_id", None) for name in named}

    def render(self, group: Group) -> str:
        """The text that the encoder reads."""
        return group.source if self.template is None else self.template.render(group, self.options)

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
            stripped = [prefix.rstrip() for prefix in prefixes]
            ids = self.tokenizer(text_target=stripped, add_special_tokens=False)["input_ids"]
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

    def name(self, token: int) -> str:
        found = self.names.get(token)
        if found is None:
            found = self.names[token] = str(self.tokenizer.convert_ids_to_tokens(token))
        return found

    def _path(self, labels: list[int], prefix: list[int]) -> TokenPath:
        wraps = self.config.model_type in ("mbart", "fsmt")
        start = labels[-1] if wraps else self.config.decoder_start_token_id
        if labels[-1] in self.language_ids:  # the first mBART ends its targets with the language
            labels = labels[:-1]
        forced = 1 if labels[0] in self.language_ids else 0
        for token in prefix:
            if forced >= len(labels) or labels[forced] != token:
                break
            forced += 1
        return TokenPath((start, *labels[:-1]), tuple(labels[forced:]))

    def _own_template(self, options: EngineOptions) -> str | None:
        """Marian's ``>>de<<`` for several target languages, T5's own instruction."""
        target = options.target_language
        if self.config.model_type == "marian":
            marks = {t[2:-2]: t for t in self.tokenizer.get_vocab() if t.startswith(">>") and t.endswith("<<")}
            if not marks:
                return None
            return escape(str(marks[self._code(target, dict.fromkeys(marks, 0), "--target-language")])) + " {source}"
        tasks = getattr(self.config, "task_specific_params", None) or {}
        task = tasks.get(f"translation_{options.source_language}_to_{target}")
        return escape(str(task["prefix"])) + "{source}" if task and "prefix" in task else None

    def _code(self, language: str | None, codes: dict[str, int], option: str) -> str:
        found = match_code(language, codes) if language else None
        if found is None:
            some = ", ".join(list(codes)[:8])
            raise KontrastError(
                f"{option} {language or 'is missing'}: the model's tokenizer needs one of its {len(codes)} languages "
                f"({some} …)"
            )
        return found


def _language_codes(tokenizer: Any) -> dict[str, int]:
    """The tokenizer's language codes with their token ids; empty where it has none."""
    if not hasattr(tokenizer, "tgt_lang"):
        return {}
    if getattr(tokenizer, "lang_code_to_id", None):
        return dict(tokenizer.lang_code_to_id)
    names = getattr(tokenizer, "additional_special_tokens", None) or getattr(tokenizer, "extra_special_tokens", [])
    return {str(name): tokenizer.convert_tokens_to_ids(str(name)) for name in names if "_" in str(name)}
