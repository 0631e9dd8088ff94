"""Jobs: everything that is given is parsed, and the trees are written.

What the command `crossbranch parse` does, for programs: nothing here prints or asks.

- inputs: texts, files, folders and standard input; which of them are raw text
- sentences: the sentences of all inputs, from any mark on
- parsing: tags, trees, k-best lists and confidence for each sentence
- outputs: trees as text; files that grow by whole parts
- confidence_table: confidence beside the trees
- notes: what must be known to resume a job
- job: all of it together
"""

from crossbranch.jobs.inputs import RAW, Content, JobInput, find_inputs
from crossbranch.jobs.job import Job, JobTargets
from crossbranch.jobs.notes import identify
from crossbranch.jobs.outputs import DrawnTrees, TreeTexts, formatted
from crossbranch.jobs.parsing import ParseOptions, identity_of, ranked
from crossbranch.jobs.sentences import JobSentences, ReadingOptions

__all__ = [
    "RAW",
    "Content",
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
    "ranked",
]
