"""Neural networks: from tokens to vectors, and from vectors to scores. Training needs torch.

vocabulary      words, characters and tags as numbers; no torch
tokens          the numbers of a batch of sentences as tensors
encoder         SentenceEncoder: a vector for each token, at several levels
subtokens       words as pieces, in windows, for pretrained encoders
encoder_files   where pretrained encoders are; no torch
encoder_loading pretrained encoders through the library transformers
pretrained      their vectors: frozen and remembered, or fine-tuned
vectors         static word vectors from files; no torch
settings        the settings of networks and of their training; no torch
scorer          SpanScorer: scores of choices between constituents
biaffine        ConstituentScorer: scores of labelled spans, for span charts
network         ParserNetwork: all of it, for transition parsers
span_network    SpanNetwork: all of it, for span charts
team            Team: several processes that train one network together
optimizing      averaged SGD and AdamW, with their learning rates

The others import torch, so they are imported only when it is needed. Parsing on a
CPU does without them: the core computes the same numbers.
"""
