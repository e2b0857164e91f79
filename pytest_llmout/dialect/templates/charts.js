"use strict";
for (const box of document.querySelectorAll("[data-chart]")) {
  const spec = JSON.parse(document.getElementById(box.dataset.chart).textContent);
  // `ast` has expressions interpreted instead of compiled, which the content security policy forbids.
  vegaEmbed(box, spec, { mode: "vega-lite", actions: false, renderer: "svg", ast: true });
}
