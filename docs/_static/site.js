"use strict";

// A page that was opened as a file may not read other files: results of a search then come without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
