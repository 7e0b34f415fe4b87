"use strict";
(() => {
  const drawer = document.getElementById("drawer"), head = drawer.querySelector("template"), hint = drawer.innerHTML;
  const rows = [...document.querySelectorAll(".row[data-k]")];
  const wordsOf = (text) => (text || "").split(" ").filter(Boolean);
  const keysOf = (row) => wordsOf(row.dataset.k);
  const byKey = new Map(), nearby = new Map(), leads = new Map();
  for (const row of document.querySelectorAll(".row")) row.setAttribute("role", "option");
  for (const row of rows) row.tabIndex = -1;
  for (const row of rows) for (const key of keysOf(row)) {
    if (!byKey.has(key)) byKey.set(key, []);
    byKey.get(key).push(row);
    if (row.querySelector("template") && !leads.has(key)) leads.set(key, row);
  }
  for (const row of rows) for (const key of wordsOf(row.dataset.n)) nearby.set(key, [...(nearby.get(key) || []), row]);
  let lit = [], pinned = null;

  const light = (row, scrolls) => {
    for (const one of lit) one.classList.remove("on", "near");
    lit = [];
    for (const one of document.querySelectorAll("[aria-selected]")) one.removeAttribute("aria-selected");
    if (!row) { drawer.innerHTML = hint; tell(); return; }
    row.setAttribute("aria-selected", "true");
    const own = row.closest(".pane"), shown = new Map(), keys = keysOf(row);
    const lights = (one, as) => {
      one.classList.add(as);
      lit.push(one);
      const pane = one.closest(".pane");
      const first = shown.get(pane);
      if (!first || one.matches(".reverse") && !first.matches(".reverse")) shown.set(pane, one);
    };
    for (const key of keys) for (const one of byKey.get(key) || []) lights(one, "on");
    for (const key of row.closest(".source") ? keys : []) for (const one of nearby.get(key) || []) lights(one, "near");
    const told = keys.map((key) => leads.get(key)).filter(Boolean);
    for (const lead of told) for (const kept of wordsOf(lead.dataset.kept)) {
      const [unit, name] = kept.split(":");
      for (const mark of document.querySelectorAll(`[data-u="${unit}"] .m`))
        if (mark.dataset.r === name) { mark.classList.add("on"); lit.push(mark); }
    }
    drawer.replaceChildren(...told.flatMap(detailsOf), ...(pinned ? [close] : []));
    drawer.scrollTop = 0;
    tell();
    if (scrolls) for (const [pane, one] of shown) if (pane !== own) show(pane, one);
  };

  const close = document.createElement("button");
  close.className = "close";
  close.textContent = "×";
  close.setAttribute("aria-label", "close");
  close.addEventListener("click", () => pin(null));

  // What is below is told of: where bars for scrolling are hidden, as on telephones, nothing else does.
  const tell = () => drawer.classList.toggle("more", drawer.scrollHeight - drawer.clientHeight - drawer.scrollTop > 8);
  // The drawer may come between the mouse and the line: it stays until the mouse has left both.
  drawer.addEventListener("mouseleave", (event) => {
    if (!pinned && !(event.relatedTarget && event.relatedTarget.closest(".code"))) light(null);
  });
  drawer.addEventListener("scroll", tell, { passive: true });
  addEventListener("resize", tell);

  const detailsOf = (lead) => {
    const found = lead.querySelector("template").content.cloneNode(true);
    for (const table of found.querySelectorAll("table")) table.prepend(head.content.cloneNode(true));
    const said = found.querySelector("h4");
    for (const end of [...lead.querySelectorAll(".end")].reverse()) said.after(end.cloneNode(true));
    return [...found.childNodes];
  };

  // A pane is scrolled by itself, so that the page stays where the reader is; the reverse is far below its forward line.
  const show = (pane, row) => {
    const top = row.offsetTop - pane.offsetTop, seen = drawer.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    const room = seen > 80 ? Math.min(pane.clientHeight, seen) : pane.clientHeight;  // the drawer hides the rest
    if (top < pane.scrollTop + 40 || top + row.offsetHeight > pane.scrollTop + room) pane.scrollTop = top - room / 3;
  };

  const pin = (row) => {
    if (pinned) pinned.classList.remove("pin");
    pinned = row;
    if (row) row.classList.add("pin");
    light(row, true);
    if (row) uncover(row);
  };

  const uncover = (row) => {
    const over = row.getBoundingClientRect().bottom - drawer.getBoundingClientRect().top;
    if (over > 0) scrollBy(0, over + 12);
  };

  // By hand: in a frame of a notebook such an address would be one of the notebook's.
  document.addEventListener("click", (event) => {
    const to = event.target.closest("a[href^='#']");
    if (!to) return;
    event.preventDefault();
    document.getElementById(to.getAttribute("href").slice(1)).scrollIntoView();
  });

  for (const list of document.querySelectorAll(".code")) {
    const own = rows.filter((row) => list.contains(row));
    if (own.length) own[0].tabIndex = 0;
    list.addEventListener("mouseover", (event) => {
      const row = event.target.closest(".row[data-k]");
      if (row && !pinned) light(row, true);
    });
    list.addEventListener("mouseleave", (event) => { if (!pinned && !drawer.contains(event.relatedTarget)) light(null); });
    list.addEventListener("click", (event) => {
      const row = event.target.closest(".row[data-k]");
      if (row && !event.target.closest("a") && !String(getSelection())) pin(row === pinned ? null : row);
    });
    list.addEventListener("focusin", (event) => {
      const row = event.target.closest(".row[data-k]");
      if (!row) return;
      for (const one of own) one.tabIndex = one === row ? 0 : -1;
      if (!pinned || pinned !== row) { if (pinned) pin(null); light(row, true); }
    });
    list.addEventListener("keydown", (event) => {
      const at = own.indexOf(document.activeElement), last = own.length - 1;
      const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
      if (to !== undefined && at >= 0) { event.preventDefault(); own[to].focus(); uncover(own[to]); }
      else if (event.key === "Escape") pin(null);
      else if ((event.key === "Enter" || event.key === " ") && at >= 0) { event.preventDefault(); pin(own[at] === pinned ? null : own[at]); }
    });
  }
})();
