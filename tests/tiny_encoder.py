"""A tiny pretrained encoder with random weights, made on the spot."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

WINDOW = 16
SIZE = 8
LAYERS = 2
_MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_LETTERS = string.ascii_lowercase


def write_encoder(folder: Path, *, seed: int = 1, **values: Any) -> Path:
    """Write a BERT model and its tokenizer, which knows letters and a few words."""
    import torch
    from transformers import BertConfig, BertModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    words = [*_MARKS, *_LETTERS, *(f"##{letter}" for letter in _LETTERS), "the", "##ing", "(", "."]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    settings = {"tokenizer_class": "BertTokenizer", "model_max_length": WINDOW}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=SIZE,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=12,
        max_position_embeddings=WINDOW,
        **values,
    )
    model = BertModel(config)
    for parameter in model.parameters():  # large enough that words differ
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.5)
    model.save_pretrained(folder, safe_serialization=True)
    return folder
