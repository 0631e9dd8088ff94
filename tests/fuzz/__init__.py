"""Fuzzing: files that are damaged at random must give an error of ours, never anything else.

mutate    changes bytes at random
seeds     files to start from, made by the package itself
targets   what is fuzzed: one function for each reader
models    the same for model folders
limits    one input within its time and memory; what went wrong
coverage  which lines an input reaches, so that useful inputs are kept
command   scripts/fuzz: for hours
corpus    TARGET/*: small files written by hand, and inputs that once found a mistake
"""
