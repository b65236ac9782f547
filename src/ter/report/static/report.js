"use strict";
/* The charts of a report. Its data and the chart library are packed into the page: nothing is loaded from anywhere. */
(async function () {
  const find = (id) => document.getElementById(id);
  const state = { problem: -1, band: "quartiles", axis: "log", decider: "" };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const narrow = () => document.documentElement.clientWidth < 640;
  let data = null;

  /* ---------- unpacking ---------- */

  async function unpacked(id) {
    const bytes = Uint8Array.from(atob(find(id).textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  function complain(text) {
    const box = find("trouble");
    box.textContent = text;
    box.hidden = false;
  }

  /* ---------- tables ---------- */

  function sortBy(header) {
    const table = header.closest("table"), body = table.tBodies[0];
    if (!body) { return; }
    const place = header.cellIndex, down = header.getAttribute("aria-sort") === "ascending";
    const key = (row) => {
      const cell = row.cells[place];
      return cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent.trim();
    };
    const order = (a, b) => {
      const [x, y] = [key(a), key(b)];
      const numbers = [x, y].map((value) => typeof value === "number");
      if (numbers[0] && numbers[1]) { return x - y; }
      if (numbers[0] !== numbers[1]) { return numbers[0] ? -1 : 1; }
      return String(x).localeCompare(String(y), undefined, { numeric: true });
    };
    const rows = Array.from(body.rows).sort(order);
    if (down) { rows.reverse(); }
    for (const other of table.tHead.rows[0].cells) { other.removeAttribute("aria-sort"); }
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...rows);
  }

  function makeTable(content) {
    const table = document.createElement("table");
    const add = (row, tag, text) => {
      const cell = document.createElement(tag);
      cell.textContent = text;
      row.append(cell);
      return cell;
    };
    const head = table.createTHead().insertRow();
    content.header.forEach((text) => { add(head, "th", text).scope = "col"; });
    const body = table.createTBody();
    content.rows.forEach((texts, i) => {
      const row = body.insertRow();
      texts.forEach((text, j) => {
        const cell = add(row, j === 0 ? "th" : "td", text);
        if (content.best[i] && j === 1) { cell.className = "best"; }
      });
    });
    return table;
  }

  /* ---------- charts ---------- */

  const config = () => ({
    responsive: true,
    displaylogo: false,
    displayModeBar: narrow() ? false : "hover",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
  });

  function layout(extra) {
    const axis = { gridcolor: css("--line"), zerolinecolor: css("--line"), linecolor: css("--line"), automargin: true, fixedrange: narrow() };
    const { xaxis, yaxis, ...rest } = extra;
    return {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: "system-ui, sans-serif", size: 12, color: css("--ink") },
      margin: { l: 56, r: 12, t: 8, b: 40 }, height: narrow() ? 320 : 400, hovermode: "closest",
      hoverlabel: { font: { size: 12 } }, dragmode: narrow() ? false : "zoom",
      legend: { orientation: "h", x: 0, y: -0.2, yanchor: "top" },
      ...rest, xaxis: { ...axis, ...xaxis }, yaxis: { ...axis, ...yaxis },
    };
  }

  const draw = (id, traces, extra) => Plotly.react(find(id), traces, layout(extra), config());

  function number(value) {
    if (value === null || value === undefined) { return "∞"; }
    const size = Math.abs(value);
    return value === 0 || (size >= 0.01 && size < 1e5) ? String(Number(value.toPrecision(4))) : value.toExponential(2);
  }

  const count = (value) => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u00a0");

  /* Where a value is on an axis that must show 0 and negative values too: logarithmic beyond a threshold. */
  function place(scale, value) {
    if (value === null) { return null; }
    if (scale.kind !== "symlog") { return value; }
    const size = Math.abs(value) / scale.threshold;
    return Math.sign(value) * (size <= 1 ? size : 1 + Math.log10(size));
  }

  function valueAxis(scale) {
    if (scale.kind !== "symlog") { return { type: scale.kind, nticks: 8, exponentformat: "power" }; }
    return { type: "linear", tickvals: scale.ticks.map((tick) => place(scale, tick)), ticktext: scale.texts };
  }

  const evaluations = (type, first, last) => ({
    type, title: { text: "evaluations", standoff: 8 }, nticks: narrow() ? 5 : 8, exponentformat: type === "log" ? "power" : "SI",
    range: type === "log" ? [Math.log10(Math.max(first, last / 1e4)), Math.log10(last * 1.05)] : [0, last * 1.02],
  });

  function translucent(color, opacity) {
    const part = (at) => parseInt(color.slice(at, at + 2), 16);
    return `rgba(${part(1)},${part(3)},${part(5)},${opacity})`;
  }

  function drawCurves(problem) {
    const traces = [], edges = { quartiles: ["low", "high"], range: ["lowest", "highest"] }[state.band];
    for (const label of data.labels) {
      const curve = problem.curves[label.name];
      if (!curve) { continue; }
      const common = { x: problem.x, mode: "lines", legendgroup: label.name, hoverinfo: "skip", line: { width: 0 }, showlegend: false };
      if (edges) {
        const y = edges.map((edge) => curve[edge].map((value) => place(problem.scale, value)));
        traces.push({ ...common, y: y[0] });
        traces.push({ ...common, y: y[1], fill: "tonexty", fillcolor: translucent(label.color, 0.2) });
      }
      const total = curve.runs + curve.failed + curve.missing;
      traces.push({
        x: problem.x, y: curve.median.map((value) => place(problem.scale, value)), mode: "lines", legendgroup: label.name,
        name: escaped(label.name) + (curve.runs === total ? "" : ` (${curve.runs} of ${total} runs)`),
        customdata: curve.median.map((value, i) => `${number(value)} (${number(curve.low[i])} to ${number(curve.high[i])})`),
        line: { color: label.color, dash: label.dash, width: label.name === data.reference ? 3 : 2 },
        hovertemplate: `<b>${escaped(label.name)}</b> %{customdata}<br>after %{x:,.0f} evaluations<extra></extra>`,
      });
    }
    const symbols = ["diamond-open", "square-open", "triangle-up-open", "triangle-down-open", "cross-open", "x-open"];
    data.published.forEach((source, i) => {
      const own = problem.quotes.filter((quote) => quote.name === source.name);
      if (!own.length) { return; }
      traces.push({
        x: own.map((quote) => quote.x), y: own.map((quote) => place(problem.scale, quote.y)), mode: "markers",
        name: `${escaped(source.title)}, published mean`, customdata: own.map((quote) => number(quote.y)),
        marker: { symbol: symbols[i % symbols.length], size: 9, color: css("--soft"), line: { width: 1.5 } }, cliponaxis: false,
        hovertemplate: `<b>${escaped(source.title)}</b>, published mean %{customdata}<br>after %{x:,.0f} evaluations<extra></extra>`,
      });
    });
    const last = problem.x[problem.x.length - 1] || 1;
    draw("curves", traces, {
      xaxis: evaluations(state.axis, problem.x[0] || 1, last),
      yaxis: { ...valueAxis(problem.scale), title: { text: data.measure, standoff: 6 } },
      height: narrow() ? 380 : 440,
    });
  }

  function escaped(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  function drawStrips(runs) {
    const traces = data.heuristics.map((heuristic, h) => {
      const bars = { base: [], x: [], y: [], customdata: [] };
      for (const run of runs) {
        run.ends.forEach((end, i) => {
          if (run.who[i] !== h) { return; }
          const start = i ? run.ends[i - 1] : run.start;
          bars.base.push(start);
          bars.x.push(end - start);
          bars.y.push(`run ${run.run}`);
          bars.customdata.push(`${count(end - start)} evaluations, ${number(run.before[i])} → ${number(run.after[i])}`);
        });
      }
      return {
        ...bars, type: "bar", orientation: "h", name: heuristic.name, showlegend: false,
        marker: { color: heuristic.color, line: { color: css("--paper"), width: runs.some((run) => run.ends.length > 80) ? 0 : 1 } },
        hovertemplate: `<b>${escaped(heuristic.name)}</b>, %{y}<br>%{customdata}<extra></extra>`,
      };
    });
    const last = Math.max(1, ...runs.map((run) => run.ends[run.ends.length - 1] || 0));
    draw("strips", traces, {
      barmode: "overlay", bargap: 0.1, height: 52 + Math.max(3, runs.length) * (runs.length > 12 ? 13 : 22),
      xaxis: { range: [0, last], showgrid: false, exponentformat: "SI" },
      yaxis: { autorange: "reversed", type: "category", showgrid: false, categoryarray: runs.map((run) => `run ${run.run}`) },
      margin: { l: 56, r: 12, t: 8, b: 28 },
    });
  }

  function drawChances(found) {
    find("chances").hidden = !found;
    if (!found) { return; }
    const traces = data.heuristics.map((heuristic, h) => ({
      x: found.x, y: found.p[h], name: heuristic.name, mode: "lines", stackgroup: "all", showlegend: false,
      line: { width: 0, shape: "vh", color: heuristic.color }, fillcolor: heuristic.color,
      hovertemplate: `<b>${escaped(heuristic.name)}</b> %{y:.2f}<br>at %{x:,.0f} evaluations<extra></extra>`,
    }));
    draw("chances", traces, {
      height: 190, xaxis: { range: [0, found.x[found.x.length - 1]], title: { text: "evaluations", standoff: 8 }, showgrid: false, exponentformat: "SI" },
      yaxis: { range: [0, 1], tickvals: [0, 0.5, 1], title: { text: "probability", standoff: 6 } },
    });
  }

  const PARTS = [["of_evaluations", "evaluations"], ["of_improvement", "improvement"], ["of_magnitude", "orders of magnitude"]];

  /* One bar for each part of each row; rows are algorithms, or the one that is chosen. */
  function drawShares(id, rows) {
    const names = Object.keys(rows), alone = names.length === 1;
    const traces = data.heuristics.map((heuristic, h) => {
      const bars = { x: [], y: [], customdata: [] };
      for (const name of names) {
        for (const [part, text] of PARTS) {
          const share = rows[name][h];
          if (!share || share[part] === null) { continue; }
          bars.x.push(share[part]);
          bars.y.push(alone ? text : `${escaped(name)}: ${text}`);
          bars.customdata.push(`${number(share.starts)} starts per run`);
        }
      }
      return {
        ...bars, type: "bar", orientation: "h", name: heuristic.name, showlegend: false,
        marker: { color: heuristic.color },
        hovertemplate: `<b>${escaped(heuristic.name)}</b> %{x:.1%} of the %{y}<br>%{customdata}<extra></extra>`,
      };
    });
    draw(id, traces, {
      barmode: "stack", bargap: 0.25, height: 44 + 26 * Math.max(3, names.length * PARTS.length),
      xaxis: { range: [0, 1.001], tickvals: [0, 0.25, 0.5, 0.75, 1], tickformat: ".0%", showgrid: false }, yaxis: { autorange: "reversed", type: "category", showgrid: false, ticksuffix: " " },
      margin: { l: 56, r: 16, t: 8, b: 28 },
    });
  }

  function drawSolved(id, found) {
    find(id).hidden = !found;
    if (!found) { return; }
    const traces = data.labels.filter((label) => found.y[label.name]).map((label) => ({
      x: found.x, y: found.y[label.name], name: escaped(label.name), mode: "lines",
      line: { color: label.color, dash: label.dash, width: label.name === data.reference ? 3 : 2 },
      hovertemplate: `<b>${escaped(label.name)}</b> %{y:.1%}<br>after %{x:,.4~g} evaluations<extra></extra>`,
    }));
    draw(id, traces, {
      height: narrow() ? 320 : 360,
      xaxis: { type: "log", title: { text: found.perVariable ? "evaluations per variable" : "evaluations", standoff: 8 }, nticks: narrow() ? 5 : 8, exponentformat: "power" },
      yaxis: { range: [0, 1.02], tickformat: ".0%", title: { text: "targets reached", standoff: 6 } },
    });
  }

  function drawRanks(id, found) {
    if (!found || !find(id)) { return; }
    const colors = Object.fromEntries(data.labels.map((label) => [label.name, label.color]));
    const names = found.names.map(escaped), rows = names.length, widest = Math.max(...found.ranks, 1 + found.distance);
    const dots = {
      x: found.ranks, y: names, mode: "markers+text", text: found.ranks.map((rank) => rank.toFixed(2)), textposition: "middle right",
      marker: { size: 11, color: found.names.map((name, i) => (found.own[i] ? colors[name] : data.neutral)), symbol: found.own.map((own) => (own ? "circle" : "diamond")) },
      hovertemplate: "<b>%{y}</b> %{x:.2f}<extra></extra>", cliponaxis: false, showlegend: false,
    };
    const shapes = found.groups.map(([first, last], i) => ({
      type: "line", xref: "paper", x0: 1.0 - 0.02 * i, x1: 1.0 - 0.02 * i, y0: first - 0.3, y1: last + 0.3,
      line: { color: css("--soft"), width: 4 },
    }));
    const bar = { type: "line", y0: -0.85, y1: -0.85, x0: 1, x1: 1 + found.distance, line: { color: css("--ink"), width: 2 } };
    const caps = [1, 1 + found.distance].map((x) => ({ ...bar, x0: x, x1: x, y0: -1.0, y1: -0.7 }));
    draw(id, [dots], {
      height: 70 + 30 * (rows + 2), shapes: [...shapes, bar, ...caps],
      annotations: [{ x: 1, y: -1.05, xanchor: "left", yanchor: "bottom", showarrow: false, text: `critical distance ${found.distance.toFixed(2)}` }],
      xaxis: { range: [0.8, widest + (narrow() ? 0.25 * rows : 1)], title: { text: "mean rank", standoff: 8 }, dtick: 1, tick0: 1 },
      yaxis: { type: "category", range: [rows - 0.4, -2], categoryorder: "array", categoryarray: names, ticksuffix: " ", showgrid: false },
    });
  }

  /* ---------- one problem ---------- */

  function drawDecisions(problem) {
    const names = Object.keys(problem.strips), box = find("deciders");
    find("panel-decisions").hidden = !names.length;
    if (!names.length) { return; }
    if (!names.includes(state.decider)) { state.decider = names[0]; }
    box.replaceChildren(...names.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.value = name;
      button.textContent = name;
      button.setAttribute("aria-pressed", String(name === state.decider));
      return button;
    }));
    drawStrips(problem.strips[state.decider]);
    drawChances(problem.chances[state.decider]);
    drawShares("shares", { [state.decider]: problem.shares[state.decider] });
  }

  function show(place, focus) {
    state.problem = (place + data.cases.length) % data.cases.length;
    const problem = data.cases[state.problem];
    for (const chip of find("chips").children) {
      chip.setAttribute("aria-pressed", String(Number(chip.dataset.problem) === state.problem));
    }
    find("panel-title").textContent = problem.name === problem.title ? problem.name : `${problem.name} (${problem.title})`;
    find("panel-facts").textContent = problem.facts;
    const box = find("panel-table");
    box.replaceChildren(makeTable(problem.table));
    for (const note of problem.table.notes) {
      const line = document.createElement("p");
      line.className = "note";
      line.textContent = note;
      box.append(line);
    }
    drawCurves(problem);
    drawDecisions(problem);
    drawSolved("solved-here", problem.solved);
    if (focus) {
      history.replaceState(null, "", `#problem=${encodeURIComponent(problem.id)}`);
      find("functions").scrollIntoView({ behavior: "smooth" });
    }
  }

  function choose(kind, value) {
    state[kind] = value;
    press();
    const problem = data.cases[state.problem];
    if (kind === "decider") { drawDecisions(problem); } else { drawCurves(problem); }
  }

  function press() {
    for (const box of document.querySelectorAll("[data-choice]")) {
      for (const button of box.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(state[box.dataset.choice] === button.dataset.value));
      }
    }
  }

  function legends() {
    for (const id of ["heuristics", "heuristics-all"]) {
      const box = find(id);
      if (!box) { continue; }
      box.replaceChildren(...data.heuristics.map((heuristic) => {
        const item = document.createElement("span"), dot = document.createElement("i");
        dot.className = "dot";
        dot.style.background = heuristic.color;
        item.append(dot, heuristic.name);
        return item;
      }));
    }
  }

  function drawAll() {
    drawSolved("solved", data.solved);
    drawRanks("ranks-plot", data.ranks);
    drawRanks("ranks-published-plot", data.ranksPublished);
    if (find("shares-all")) { drawShares("shares-all", data.shares); }
    show(Math.max(0, state.problem), false);
  }

  /* ---------- what people do ---------- */

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) { return; }
    const header = button.closest("thead th"), choice = button.closest("[data-choice]");
    if (header) { sortBy(header); return; }
    if (!data) { return; }
    if (button.dataset.problem !== undefined) {
      show(Number(button.dataset.problem), true);
    } else if (choice) {
      choose(choice.dataset.choice, button.dataset.value);
    } else if (button.id === "before" || button.id === "after") {
      show(state.problem + (button.id === "after" ? 1 : -1), true);
    }
  });

  if (typeof DecompressionStream === "undefined") {
    complain("The charts need a browser of 2023 or later; the tables do not.");
    return;
  }
  try {
    const [packed, library] = await Promise.all([unpacked("packed-data"), unpacked("packed-plotly")]);
    const script = document.createElement("script");
    script.textContent = library;
    document.head.append(script);
    data = JSON.parse(packed);
  } catch (error) {
    complain(`The charts could not be unpacked: ${error}`);
    return;
  }
  const asked = decodeURIComponent((location.hash.match(/^#problem=(.*)$/) || ["", ""])[1]);
  state.problem = data.cases.findIndex((problem) => problem.id === asked);
  legends();
  press();
  drawAll();
  if (state.problem >= 0 && asked) { find("functions").scrollIntoView(); }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  matchMedia("(max-width: 639px)").addEventListener("change", drawAll);
  document.documentElement.dataset.ready = "true";
})();
