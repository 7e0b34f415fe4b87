"use strict";

// Pages for readers before lists of names, generated tables and reports of how it was built.
const RANKS = [
  ["supported/", -12],
  ["design/", -6],
  ["api/generated/", 0],
  ["api/", -10],
  ["gallery/", -4],
  ["course/", -4],
  ["from_autograd", 0],
  ["", 4],
];

var Scorer = {
  score: ([page, title, anchor, description, score]) =>
    score + RANKS.find(([start]) => page.startsWith(start))[1],
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
