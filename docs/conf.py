"""How the documentation is built: `make docs` runs Sphinx over this folder, and fails on any warning."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE / "_extensions"), str(ROOT / "src"), str(ROOT / "examples")]
# Notebooks run in processes of their own, which look for the package where this one does.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
os.environ["MATPLOTLIBRC"] = str(HERE / "matplotlibrc")
os.environ.pop("MPLBACKEND", None)  # notebooks have a backend of their own, and the gallery chooses one

# Their settings are ours, and not those of whoever builds.
PROFILE = Path(tempfile.mkdtemp(prefix="ipython-")) / "profile_default"
PROFILE.mkdir()
(PROFILE / "ipython_kernel_config.py").write_text(
    'c = get_config()\nc.IPKernelApp.log_level = 40\nc.InlineBackend.figure_formats = ["retina"]\n'
)
os.environ["IPYTHONDIR"] = str(PROFILE.parent)

import adjoint  # noqa: E402

project = "adjoint"
author = "The adjoint authors"
copyright = "the adjoint authors"
version = release = adjoint.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "colours",
    "docstrings",
    "durations",
    "explored",
    "gallery",
    "katex",
    "markdown",
    "notebooks",
    "searching",
]
exclude_patterns = ["_*", "gallery/*.ipynb", "gallery/*.py", "gallery/*.json", "gallery/*.zip"]
suppress_warnings = ["config.cache"]
nitpicky = False

# ---- Pages in Markdown, some of which are notebooks: text without outputs, which the build runs

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 4
myst_dmath_allow_space = False
myst_dmath_allow_digits = False
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_in_temp = True
nb_execution_show_tb = True
nb_ipywidgets_js = {}
nb_mime_priority_overrides = [("html", "image/png", 5)]

# ---- Reference, from docstrings

autosummary_generate = True
autodoc_mock_imports = ["adjoint.interop.linear", "jax", "pytensor", "torch"]
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_use_plots = False
default_role = "py:obj"  # of docstrings: code, and a link where it is the name of something public
toc_object_entries = False
templates_path = ["_templates"]

# ---- Gallery: the scripts of examples/, drawn as a reader's `python examples/<name>.py` draws them

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/(?!torch_layer|jax_function|out_of_memory)\w+\.py$",  # shown: what they need is not here
    "ignore_pattern": r"tiny\w*\.py$",
    "within_subsection_order": "gallery.Order",
    "default_thumb_file": str(HERE / "_static" / "program.svg"),
    "reset_argv": "gallery.arguments",
    "image_scrapers": ("gallery.pictures",),
    "reset_modules": (),
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1e6,
    "abort_on_example_error": True,
}

# ---- The site

html_theme = "pydata_sphinx_theme"
html_title = "adjoint"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_use_index = False
html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_search_scorer = str(HERE / "_static" / "scorer.js")
html_theme_options = {
    "logo": {"text": "adjoint"},
    "show_prev_next": True,
    "show_toc_level": 2,
    "navigation_depth": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "**": ["sidebar-nav-bs"]}
html_context = {"default_mode": "auto"}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

VERSIONS = HERE / "_static" / "versions.json"
if VERSIONS.exists():  # written where several versions are published; a single one needs no choice
    html_theme_options["switcher"] = {"json_url": "_static/versions.json", "version_match": version}
    html_theme_options["navbar_start"] = ["navbar-logo", "version-switcher"]
