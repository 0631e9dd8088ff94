def random_trees(*a, **k):
    raise NotImplementedError
