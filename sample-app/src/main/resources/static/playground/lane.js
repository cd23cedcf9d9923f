/** Draws what one algorithm made of the traffic: above its capacity as a curve, below the requests, up if admitted. */

import { NAMES, duration, plural, seconds, tally } from './format.js';

const SVG = 'http://www.w3.org/2000/svg';

const HEIGHT = 175;
const LEFT = 38;
const RIGHT = 16;
const CURVE = { top: 12, bottom: 68 };
const TRAFFIC = { top: 80, base: 116, bottom: 152 };
const LABELS = 170;
const MOST_DOTS = 7;
const FEW = 4;
const PITCH = 5.4;
const TIED_TO_THE_CLOCK = new Set(['FIXED_WINDOW', 'SLIDING_COUNTER']);

let lanes = 0;

/**
 * @param lane the decisions of one algorithm
 * @param view { fromMicros, untilMicros, windowMicros }
 * @param width in pixels
 * @returns {{ svg: SVGSVGElement, reveal(micros: number): void }} the picture, and how to show it up to a time
 */
export function drawLane(lane, view, width) {
  const scale = scaleOf(view, width);
  const svg = node('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img' });
  svg.setAttribute('aria-label', summary(lane));
  const clip = node('rect', { x: 0, y: 0, width, height: HEIGHT });
  const clipId = `lane-clip-${++lanes}`;
  const definitions = node('defs', {}, node('clipPath', { id: clipId }, clip));
  const head = node('line', { class: 'lane-head', y1: CURVE.top - 6, y2: TRAFFIC.bottom, visibility: 'hidden' });
  const revealed = node('g', { 'clip-path': `url(#${clipId})` }, curve(lane, view, scale), requests(lane, view, scale));
  svg.append(definitions, grid(lane, view, scale, width), revealed, head);
  return {
    svg,
    reveal(micros) {
      const x = scale(micros);
      const whole = micros >= view.untilMicros;
      clip.setAttribute('width', whole ? width : Math.max(0, x + 0.5));
      head.setAttribute('visibility', whole ? 'hidden' : 'visible');
      head.setAttribute('x1', x);
      head.setAttribute('x2', x);
    },
  };
}

export function summary(lane) {
  const sum = tally(lane, Infinity);
  return (
    `${NAMES[lane.algorithm]}: ${plural(sum.arrivals, 'request')}, ${sum.admitted} admitted, ` +
    `${sum.delayed} of them delayed, ${sum.refused} refused`
  );
}

export function node(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function scaleOf({ fromMicros, untilMicros }, width) {
  const inner = width - LEFT - RIGHT;
  return (micros) => LEFT + (inner * (micros - fromMicros)) / (untilMicros - fromMicros);
}

function text(x, y, content, anchor = 'middle', extra = '') {
  return node('text', { x, y, class: `lane-text ${extra}`, 'text-anchor': anchor }, content);
}

function grid(lane, view, scale, width) {
  const group = node('g', {});
  const right = width - RIGHT;
  group.append(
    node('line', { class: 'lane-rule lane-full', x1: LEFT, x2: right, y1: CURVE.top, y2: CURVE.top }),
    node('line', { class: 'lane-rule', x1: LEFT, x2: right, y1: CURVE.bottom, y2: CURVE.bottom }),
    node('line', { class: 'lane-base', x1: LEFT, x2: right, y1: TRAFFIC.base, y2: TRAFFIC.base }),
    text(LEFT - 7, CURVE.top + 4, String(lane.capacity), 'end'),
    text(LEFT - 7, CURVE.bottom + 4, '0', 'end'),
  );
  if (TIED_TO_THE_CLOCK.has(lane.algorithm)) {
    for (const edge of multiples(view.windowMicros, view)) {
      const x = scale(edge);
      group.append(node('line', { class: 'lane-edge', x1: x, x2: x, y1: CURVE.top - 6, y2: TRAFFIC.bottom }));
    }
  }
  const step = tickOf(view, width);
  for (const tick of multiples(step, view)) {
    const label = step % 60_000_000 === 0 ? duration(tick) : `${seconds(tick)} s`;
    group.append(text(scale(tick), LABELS, label, anchorAt(scale(tick), width)));
  }
  return group;
}

function anchorAt(x, width) {
  return x > width - RIGHT - 12 ? 'end' : 'middle';
}

function multiples(step, { fromMicros, untilMicros }) {
  const all = [];
  const most = 200;
  for (let at = Math.ceil(fromMicros / step) * step; at <= untilMicros && all.length < most; at += step) {
    all.push(at);
  }
  return all;
}

/** A round number of seconds so that labels keep a distance. */
function tickOf({ fromMicros, untilMicros }, width) {
  const atLeast = ((untilMicros - fromMicros) * 64) / (width - LEFT - RIGHT);
  const round = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].map((s) => s * 1_000_000);
  return round.find((candidate) => candidate >= atLeast) ?? Math.ceil(atLeast / 3_600e6) * 3_600e6;
}

function curve(lane, view, scale) {
  const height = (remaining) =>
    CURVE.bottom - (CURVE.bottom - CURVE.top) * (lane.capacity === 0 ? 0 : Math.min(1, remaining / lane.capacity));
  let path = `M ${scale(view.fromMicros)} ${height(lane.capacity)}`;
  for (const point of lane.curve) {
    const x = Math.max(scale(point.atMicros), scale(view.fromMicros));
    path += ` H ${x.toFixed(1)} V ${height(point.remaining).toFixed(1)}`;
  }
  path += ` H ${scale(view.untilMicros)}`;
  return node(
    'g',
    {},
    node('path', { class: 'lane-area', d: `${path} V ${CURVE.bottom} H ${scale(view.fromMicros)} Z` }),
    node('path', { class: 'lane-curve', d: path }),
  );
}

function requests(lane, view, scale) {
  const visible = lane.moments.filter(({ atMicros }) => atMicros >= view.fromMicros && atMicros <= view.untilMicros);
  const columns = columnsOf(visible, scale);
  const most = Math.max(0, ...columns.map(({ admitted, refused }) => Math.max(admitted, refused)));
  return most <= MOST_DOTS ? dots(columns, scale, most <= FEW ? 1.45 : 1) : bars(columns, most);
}

/** Instants that would fall on one another are drawn together. */
function columnsOf(moments, scale) {
  const columns = [];
  for (const { atMicros, admitted, refused, delaysMicros } of moments) {
    const x = scale(atMicros);
    let column = columns[columns.length - 1];
    if (!column || x - column.x > 5) {
      column = { x, admitted: 0, refused: 0, served: [] };
      columns.push(column);
    }
    column.admitted += admitted;
    column.refused += refused;
    column.served.push(...Array(admitted - delaysMicros.length).fill(null));
    column.served.push(...delaysMicros.map((delay) => atMicros + delay));
  }
  return columns;
}

/** One mark a request: a dot if admitted, a ring with the line of its wait if delayed, a cross if refused. */
function dots(columns, scale, size) {
  const group = node('g', {});
  const pitch = PITCH * size;
  const busyUntil = [];
  for (const { x, refused, served } of columns) {
    for (const at of served) {
      const end = at === null ? x : scale(at);
      let row = busyUntil.findIndex((busy) => busy < x - 5);
      row = row < 0 ? busyUntil.length : row;
      busyUntil[row] = end + 4;
      const y = TRAFFIC.base - 1 - pitch * (0.9 + (row % MOST_DOTS));
      group.append(
        ...(at === null ? [node('circle', { class: 'lane-admitted', cx: x, cy: y, r: 2.8 * size })] : wait(x, end, y, size)),
      );
    }
    for (let i = 0; i < refused; i++) {
      group.append(cross(x, TRAFFIC.base + 1 + pitch * (1 + i), 2.3 * size));
    }
  }
  return group;
}

function wait(x, end, y, size) {
  return [
    node('line', { class: 'lane-wait', x1: x + 2.5 * size, x2: end, y1: y, y2: y }),
    node('circle', { class: 'lane-ring', cx: x, cy: y, r: 2.3 * size }),
    node('circle', { class: 'lane-delayed', cx: end, cy: y, r: 2.5 * size }),
  ];
}

function cross(x, y, arm) {
  return node('path', {
    class: 'lane-cross',
    d: `M ${x - arm} ${y - arm} L ${x + arm} ${y + arm} M ${x - arm} ${y + arm} L ${x + arm} ${y - arm}`,
  });
}

/** Many requests at once: a bar with its number. */
function bars(columns, most) {
  const group = node('g', {});
  const room = TRAFFIC.base - TRAFFIC.top - 12;
  const labelled = roomForLabels(columns);
  columns.forEach(({ x, admitted, refused, served }, index) => {
    const delayed = served.filter((at) => at !== null).length;
    const up = (room * admitted) / most;
    const amber = (room * delayed) / most;
    const down = (room * refused) / most;
    group.append(
      bar(x, TRAFFIC.base - (up - amber), up - amber, 'lane-admitted'),
      bar(x, TRAFFIC.base - up, amber, 'lane-delayed'),
      bar(x, TRAFFIC.base + 1, down, 'lane-refused'),
    );
    if (labelled(index)) {
      group.append(number(x, TRAFFIC.base - up - 3, admitted, 'admitted'));
      group.append(number(x, TRAFFIC.base + down + 11, refused, 'refused'));
    }
  });
  return group;
}

function roomForLabels(columns) {
  return (index) => {
    const before = index === 0 || columns[index].x - columns[index - 1].x >= 14;
    const after = index === columns.length - 1 || columns[index + 1].x - columns[index].x >= 14;
    return before && after;
  };
}

function bar(x, y, height, kind) {
  const atLeast = height > 0 ? Math.max(height, 1.5) : 0;
  return node('rect', { class: kind, x: x - 4, y: y + height - atLeast, width: 8, height: atLeast, rx: 1 });
}

function number(x, y, count, kind) {
  return text(x, y, count === 0 ? '' : String(count), 'middle', `lane-number ${kind}`);
}
