"""What is in a treebank.

distribution    counts of numbers and names
discontinuity   gap degrees, fan-outs, ill-nested trees
phenomena       kinds of discontinuity and their sentences
coverage        how many constituents span charts can find
counts          Statistics: all counts of a treebank; they can be added
report          statistics as tables for a terminal
plot            statistics as a picture
"""

from crossbranch.statistics.counts import Statistics
from crossbranch.statistics.coverage import Coverage
from crossbranch.statistics.discontinuity import DiscontinuityCounts
from crossbranch.statistics.phenomena import PhenomenonCounts
from crossbranch.statistics.plot import plot
from crossbranch.statistics.report import report

__all__ = ["Coverage", "DiscontinuityCounts", "PhenomenonCounts", "Statistics", "plot", "report"]
