"""Functions and heads: what finished trees get besides their structure.

The children of a node from left to right are a sequence, and their functions (edge labels) are its
tags. So the tagger of the core finds them. Heads come from a table of rules.

settings     what a labeller knows besides its weights; the feature templates
encoder      trees and tokens as numbers
learning     training on trees with functions
labeller     `FunctionLabeller`: gives trees their functions and heads
"""

from __future__ import annotations

from crossbranch.functions.labeller import FunctionLabeller, accuracy

__all__ = ["FunctionLabeller", "accuracy"]
