"use strict";
// Draws the charts of the page from its data, and makes its tables sortable.  Nothing is computed
// here that the page's data do not say; nothing is loaded.
(() => {
  const read = (name) => JSON.parse(document.getElementById(name).textContent);
  const data = read("data");
  const charts = read("charts");

  const at = (pointer) =>
    pointer.split("/").slice(1)
      .map((word) => word.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce((found, key) => found[key], data);

  const pairs = (mapping) => Object.entries(mapping).map(([key, value]) => ({ key, value }));

  // A timeline in columns: numbers of names, and cycles.
  const spans = ({ names, tracks, track, begin, end, label, event }) =>
    begin.map((first, k) => ({
      track: tracks[track[k]], begin: first, end: end[k], label: names[label[k]], event: names[event[k]],
    }));

  const intervals = (columns, ends) => Object.entries(columns).flatMap(([key, values]) =>
    values.map((value, k) => ({ key, value, begin: k ? ends[k - 1] : 0, end: ends[k] })));

  const rowsOf = ({ at: pointer, explode, along }) => {
    const found = at(pointer);
    if (along) return intervals(found, at(along));
    if (found.begin && found.names) return spans(found);
    const rows = Array.isArray(found) ? found : pairs(found);
    if (!explode) return rows;
    const bucketed = (row, number) =>
      row[explode].map(([first, behind, count]) => ({ number, first, behind, count }));
    if (rows.some((row) => Array.isArray(row[explode]))) return rows.flatMap(bucketed);
    return rows.flatMap((row) => pairs(row[explode] ?? {}).map((pair) => ({ ...row, ...pair })));
  };

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const tone = (number) => css(number < 0 ? "--grey" : `--t${number}`);
  const EVERY = 10;
  const ERRORS = 1;  // of Vega’s levels: no warning that a height is as many steps as there are rows

  const coloured = (value) => {
    if (Array.isArray(value)) return value.map(coloured);
    if (value === null || typeof value !== "object") return value;
    if ("$tone" in value) return tone(value.$tone);
    if ("$tones" in value) return value.$tones.map(tone);
    if ("$all" in value) return [...Array(EVERY).keys()].map(tone);
    if ("$ramp" in value) return [css("--low"), css("--high")];
    if ("$css" in value) return css(value.$css);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, coloured(one)]));
  };

  const config = () => ({
    background: "transparent",
    font: css("--sans"),
    view: { stroke: null },
    axis: {
      labelColor: css("--soft"), titleColor: css("--soft"), titleFontWeight: "normal", labelFontSize: 11,
      titleFontSize: 11, gridColor: css("--line"), domainColor: css("--line"), tickColor: css("--line"),
      labelLimit: innerWidth < 640 ? 110 : 240,
    },
    axisY: { grid: false, ticks: false, domain: false, labelPadding: 6 },
    legend: { symbolFillColor: css("--soft"), labelColor: css("--ink"), titleColor: css("--soft"), titleFontWeight: "normal" },
    text: { color: css("--ink") },
    rule: { color: css("--soft") },
    bar: { stroke: css("--ground"), strokeWidth: 0.5 },
  });

  const views = [];
  const draw = async () => {
    for (const view of views.splice(0)) view.finalize();
    for (const [name, { rows, spec }] of Object.entries(charts)) {
      const place = document.getElementById(name);
      const whole = {
        $schema: "https://vega.github.io/schema/vega-lite/v6.json",
        width: "container",
        ...coloured(spec),
        datasets: Object.fromEntries(Object.entries(rows).map(([called, one]) => [called, rowsOf(one)])),
        config: config(),
      };
      const controls = document.getElementById(`${name}-controls`);
      controls.replaceChildren();
      const { view } = await vegaEmbed(place, whole, {
        renderer: "svg", actions: false, mode: "vega-lite", bind: controls, logLevel: ERRORS,
      });
      views.push(view);
    }
    document.documentElement.dataset.drawn = String(views.length);
  };
  window.pageViews = views;

  // Light and dark: as the system has it, until somebody says otherwise.
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const named = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    named();
    draw();
  });
  dark.addEventListener("change", () => { named(); draw(); });
  named();

  if (matchMedia("(max-width: 60rem)").matches) document.getElementById("toc").open = false;

  // Tables: rows in the order of a column, and rows that have a text.
  const value = (row, column) => {
    const text = row.cells[column].textContent;
    const number = Number(text.replace(/[ \u00a0%×]/g, ""));
    return text.trim() !== "" && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : Number(a > b)) : typeof a === "number" ? -1 : 1);
  for (const table of document.querySelectorAll(".scroll:not(.code) > table")) {
    const [body] = table.tBodies;
    if (body.rows.length < 6) continue;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.querySelector(".unseen")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sorted = [...body.rows].sort((a, b) => compare(value(a, column), value(b, column)));
        body.append(...(down ? sorted.reverse() : sorted));
      });
    });
  }
  for (const find of document.querySelectorAll(".find")) {
    const rows = [...find.nextElementSibling.querySelectorAll("tbody tr")];
    find.addEventListener("input", () => {
      const wanted = find.value.toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
  }

  // Which part of the page is in sight.
  const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const link = links.get(target.getAttribute("aria-labelledby"));
      if (!link || !isIntersecting) continue;
      for (const other of links.values()) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const part of document.querySelectorAll(".part")) seen.observe(part);

  draw();
})();
