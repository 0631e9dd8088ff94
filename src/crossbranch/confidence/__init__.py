"""Confidence: how likely it is that a tree, or a constituent, is right.

strategies    how a kind of parser computes confidence: calibrated beams or marginals
evidence      evidence for and against trees and constituents, from a wide search
calibration   from evidence to probabilities
calibrating   how a calibration is learned from dev trees
marginals     probabilities that a parser computes itself
logistic      logistic regression
reliability   how reliable the probabilities are
"""
