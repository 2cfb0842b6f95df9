// SPDX-License-Identifier: Apache-2.0
// Live plots, drawn by uPlot in the colours of the theme.
import {h} from './dom.js';

const HEIGHT = 150;
/** A plot that has just begun is as wide as this. */
const WINDOW_SECONDS = 60;

const clock = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 19);

/** A colour of the style sheet as the canvas wants it. */
function colour(name) {
  const probe = h('span', {class: 'probe', 'data-colour': name});
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/**
 * A plot of some series over time.
 *
 * @param series [{name, tone, value(sample)}]; tone is one of the style sheet's series colours
 * @param format a value as text
 * @param least the scale ends there at the lowest, so that noise does not look like a load
 * @param uPlot the library
 */
export function plot(uPlot, {title, note, series, format, least}) {
  const canvas = h('div', {class: 'canvas', 'aria-hidden': 'true'});
  const now = series.map(() => h('strong', {class: 'verbatim'}, '–'));
  const legend = h('ul', {class: 'legend'}, series.map((s, i) => h('li', {}, h('span', {class: `dot ${s.tone}`}), s.name, ' ', now[i])));
  const figure = h('figure', {class: 'card plot'}, h('figcaption', {}, h('h2', {}, title), note && h('p', {class: 'hint'}, note), legend), canvas);
  let chart = null;
  let data = [[], ...series.map(() => [])];

  function build() {
    chart?.destroy();
    const axis = {stroke: colour('axis'), font: '11px system-ui, sans-serif', grid: {stroke: colour('grid'), width: 1}, ticks: {show: false}};
    chart = new uPlot(
      {
        width: Math.max(120, canvas.clientWidth),
        height: HEIGHT,
        legend: {show: false},
        cursor: {show: false},
        padding: [8, 4, 0, 0],
        scales: {x: {range: (_, low, high) => [Math.min(low, high - WINDOW_SECONDS), high]}, y: {range: (_, low, high) => [0, Math.max(high * 1.15, least)]}},
        axes: [
          {...axis, size: 24, space: 80, values: (_, ticks) => ticks.map(clock)},
          {...axis, size: 64, space: 34, values: (_, ticks) => ticks.map(format)},
        ],
        series: [
          {},
          ...series.map((s) => ({label: s.name, stroke: colour(s.tone), width: 2, fill: series.length === 1 ? colour(`${s.tone}-area`) : undefined, points: {show: false}, spanGaps: false})),
        ],
      },
      data,
      canvas,
    );
  }

  const resized = new ResizeObserver(() => {
    if (chart !== null && canvas.clientWidth > 0) {
      chart.setSize({width: canvas.clientWidth, height: HEIGHT});
    }
  });
  return {
    figure,
    /** Shows the samples; the last value of each series is also text. */
    update(samples) {
      data = [samples.map((s) => s.time), ...series.map((s) => samples.map(s.value))];
      if (chart === null) {
        build();
        resized.observe(canvas);
      } else {
        chart.setData(data);
      }
      series.forEach((s, i) => {
        const last = samples.findLast((sample) => s.value(sample) !== null);
        now[i].textContent = last ? format(s.value(last)) : '–';
      });
    },
    recolour: build,
    stop() {
      resized.disconnect();
      chart?.destroy();
    },
  };
}

/** The library. The page loads it behind everything else, so the first paint does not wait for it. */
export async function library() {
  if (window.uPlot === undefined && document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, {once: true}));
  }
  if (window.uPlot === undefined) {
    throw new Error('The plotting library could not be loaded.');
  }
  return window.uPlot;
}
