"""Programs of other libraries: where one is not installed, its file is not collected (`adjoint[realworld]`)."""

import importlib.util

LIBRARIES = {
    "test_astropy.py": ["astropy"],
    "test_filters.py": ["filterpy", "pykalman", "hmmlearn"],
    "test_pandas.py": ["pandas"],
    "test_quantecon.py": ["quantecon"],
    "test_scikit_fem.py": ["skfem"],
    "test_scikit_learn.py": ["sklearn"],
    "test_statistics.py": ["lifelines", "statsmodels"],
    "test_tenpy.py": ["tenpy"],
    "test_units.py": ["pint", "tqdm"],
}
collect_ignore = [
    file for file, names in LIBRARIES.items() if any([importlib.util.find_spec(name) is None for name in names])
]
