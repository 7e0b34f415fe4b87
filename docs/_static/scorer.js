"use strict";

// Titles first, then headings; and pages that say how to do a thing before the generated ones that list names.
var Scorer = {
  score: ([page, title, anchor, description, score]) => {
    if (page.startsWith("supported/")) return score - 12;
    if (page.startsWith("design/")) return score - 4;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
