"""Reports of evaluations: tables, rows for programs, and HTML pages.

file_evaluation  evaluates files of predictions against a gold file; recognises k-best lists
file_report      the results: tables, rows for CSV and JSON, pages
analysis         breakdowns, confusions, errors and phenomena, collected sentence by sentence
tables           figures as tables, for terminals and pages
comparison_tables, seed_tables  tables that compare parsers, or systems with several seeds
figure_sentences the sentences that a figure counts
html             one page: tables, plots, and trees side by side with their differences marked
html_tables      the tables of a page: figures are links to their sentences
records          the sentences of a page
charts           the plots of a page: bars as SVG
"""
