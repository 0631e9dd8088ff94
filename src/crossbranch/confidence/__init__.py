"""Confidence: how likely it is that a tree, or a constituent, is right.

strategies    how a kind of parser computes confidence: calibrated beams or marginals
evidence      evidence for and against trees and constituents, from a wide search
calibration   from evidence to probabilities
calibrating   how a calibration is learned from dev trees
hiding        dev sentences with hidden words, to learn what unfamiliar text does to a parser
doubt         unknown words; the features of trees that may be wrong
marginals     probabilities that a parser computes itself
logistic      logistic regression
reliability   how reliable the probabilities are
"""
