"""Measures several things in turns, so that other work of the machine affects all of them equally."""

import statistics


def medians(cases, measure, runs, warm_up=0):
    """The median of `measure(case)` for each of the named cases. Where it returns a tuple, the medians of
    each place.

    The first `warm_up` runs do not count.
    """
    found = {name: [] for name in cases}
    for run in range(-warm_up, runs):
        for name, case in cases.items():
            figure = measure(case)
            if run >= 0:
                found[name].append(figure)
    return {name: median(figures) for name, figures in found.items()}


def median(figures):
    if isinstance(figures[0], tuple):
        return tuple(statistics.median(place) for place in zip(*figures))
    return statistics.median(figures)
