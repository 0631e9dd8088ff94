"""Evaluations to look at.

file_evaluation  files of predictions against a gold file; k-best lists are recognised
file_report      what came out: tables, rows for CSV and JSON, pages
analysis         breakdowns, confusions, errors and phenomena, gathered sentence by sentence
tables           figures as tables, for terminals and pages alike
html             one page: tables, plots, and trees side by side with their differences marked
pages            which plots such a page shows
records          what such a page shows of a sentence
charts           bar plots as SVG, for such pages
"""
