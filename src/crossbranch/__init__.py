"""crossbranch: trees whose branches cross, read, written, transformed, described and drawn."""
