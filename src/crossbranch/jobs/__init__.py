"""Jobs: parse all inputs, and write the trees.

This is what the command `crossbranch parse` does, for use in programs. Nothing here prints.

- inputs: texts, files, folders and standard input; which of them are raw text
- sentences: the sentences of all inputs, starting at any mark
- parsing: tags, trees, k-best lists and confidence for each sentence
- outputs: trees as text; files that grow part by part
- confidence_table: confidence in a table of its own
- doubts: counts of doubtful trees, and a message about them
- notes: the data that are needed to resume a job
- job: connects all of these
- columns: texts in tables of other libraries
"""

from crossbranch.jobs.columns import parse_column
from crossbranch.jobs.doubts import DoubtCounts
from crossbranch.jobs.inputs import RAW, Content, JobInput, find_inputs
from crossbranch.jobs.job import Job, JobTargets
from crossbranch.jobs.notes import identify
from crossbranch.jobs.outputs import DrawnTrees, TreeTexts, formatted
from crossbranch.jobs.parsing import ParseOptions, identity_of, ranked
from crossbranch.jobs.sentences import JobSentences, ReadingOptions

__all__ = [
    "RAW",
    "Content",
    "DoubtCounts",
    "DrawnTrees",
    "Job",
    "JobInput",
    "JobSentences",
    "JobTargets",
    "ParseOptions",
    "ReadingOptions",
    "TreeTexts",
    "find_inputs",
    "formatted",
    "identify",
    "identity_of",
    "parse_column",
    "ranked",
]
