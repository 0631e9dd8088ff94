"""Confidence: how likely it is that a tree, or a constituent of it, is right.

evidence      evidence for and against trees and constituents, from a wide search
calibration   what the evidence is worth
calibrating   how a calibration is learned from dev trees
logistic      the map from evidence to probability
reliability   how far stated probabilities can be relied on
"""
