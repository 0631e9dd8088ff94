"""Evaluations to look at.

tables    figures as tables, for terminals and pages alike
analysis  breakdowns, confusions, errors and phenomena, gathered sentence by sentence
html      one page: tables, plots, and gold beside predicted trees with their differences marked
pages     which plots such a page shows
records   what such a page shows of a sentence
sentences the figures of each sentence as rows
charts    bar plots as SVG, for such pages
"""
