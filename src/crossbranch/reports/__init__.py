"""Reports of evaluations: tables, rows for programs, and HTML pages.

file_evaluation  evaluates files of predictions against a gold file; recognises k-best lists
file_report      the results: tables, rows for CSV and JSON, pages
analysis         breakdowns, confusions, errors and phenomena, collected sentence by sentence
tables           figures as tables, for terminals and pages
html             one page: tables, plots, and trees side by side with their differences marked
records          the sentences of a page
charts           the plots of a page: bars as SVG
"""
