"""The paths of the API, by topic.

about     models, labels, formats
parse     text to trees
trees     drawing, searching, converting and evaluating trees
derive    derivations, step by step
status    health and metrics
"""
