/** Makes a picture that stands alone of what the page shows: for the documentation, and for visitors to keep. */

import { NAMES, describe, tally } from './format.js';
import { drawLane, node } from './lane.js';
import { PICTURE_STYLE } from './lane-style.js';

const PADDING = 18;
const TITLE = 24;
const GAP = 14;

const SWEEP = `
  @media (prefers-reduced-motion: no-preference) {
    clipPath rect { transform-origin: 0 0; animation: sweep 7s linear infinite; }
  }
  @keyframes sweep { 0% { transform: scaleX(0.36) } 55%, 100% { transform: scaleX(1) } }`;

/**
 * @param state { lanes, view, settings }
 * @param options { width, animated }
 * @returns the source of an SVG
 */
export function pictureOf({ lanes, view, settings }, { width = 760, animated = false } = {}) {
  const inner = width - 2 * PADDING;
  const picture = node('svg', { width });
  const style = node('style', {});
  style.textContent = PICTURE_STYLE + (animated ? SWEEP : '');
  picture.append(style, node('rect', { class: 'lane-paper', width: '100%', height: '100%', rx: 10 }));
  let y = PADDING;
  for (const lane of lanes) {
    const { svg } = drawLane(lane, view, inner);
    svg.setAttribute('x', PADDING);
    svg.setAttribute('y', y + TITLE);
    picture.append(title(lane, settings, y + 12), counts(lane, width - PADDING, y + 12), svg);
    y += TITLE + Number(svg.getAttribute('height')) + GAP;
  }
  const height = y - GAP + PADDING / 2;
  picture.setAttribute('height', height);
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  return new XMLSerializer().serializeToString(picture);
}

function title(lane, settings, y) {
  const text = node('text', { x: PADDING, y, class: 'lane-title' }, NAMES[lane.algorithm]);
  text.append(node('tspan', { class: 'lane-text', dx: 8 }, describe(lane.algorithm, settings)));
  return text;
}

function counts(lane, x, y) {
  const sum = tally(lane, Infinity);
  const text = node('text', { x, y, class: 'lane-text', 'text-anchor': 'end' });
  for (const kind of ['admitted', 'delayed', 'refused'].filter((each) => sum[each] > 0 || each === 'admitted')) {
    text.append(node('tspan', { class: `lane-count ${kind}`, dx: 12 }, String(sum[kind])), ` ${kind}`);
  }
  return text;
}
