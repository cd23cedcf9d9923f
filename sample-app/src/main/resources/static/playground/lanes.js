/** The five lanes on the page, and the table that says the same. */

import { ALGORITHMS, IDEAS, NAMES, describe, remainingAt, retryText, roughSeconds, seconds, tally } from './format.js';
import { drawLane } from './lane.js';

const container = document.getElementById('lanes');
const table = document.getElementById('table');

const parts = new Map();

for (const algorithm of ALGORITHMS) {
  const lane = element('article', 'lane');
  lane.dataset.algorithm = algorithm;
  const head = element('div', 'head');
  const title = element('h3', '', NAMES[algorithm]);
  title.title = IDEAS[algorithm];
  const rule = element('p', 'rule');
  const counts = element('ul', 'counts');
  const numbers = {};
  for (const kind of ['admitted', 'delayed', 'refused']) {
    const entry = element('li', kind);
    numbers[kind] = element('b', '', '0');
    entry.append(numbers[kind], kind);
    counts.append(entry);
  }
  const now = element('p', 'now');
  const picture = element('div', 'picture');
  head.append(title, rule, counts, now);
  lane.append(head, picture);
  container.append(lane);
  parts.set(algorithm, { lane, rule, numbers, now, picture });
}

let shown = null;

/** Draws all lanes. @param state { lanes, view, settings, focus } */
export function showLanes(state) {
  shown = { ...state, pictures: new Map() };
  for (const lane of state.lanes) {
    const { lane: article, rule, picture } = parts.get(lane.algorithm);
    article.classList.toggle('focus', state.focus.includes(lane.algorithm));
    rule.textContent = describe(lane.algorithm, state.settings);
    const drawn = drawLane(lane, state.view, Math.max(240, picture.clientWidth));
    picture.replaceChildren(drawn.svg);
    shown.pictures.set(lane.algorithm, drawn);
  }
}

/** Shows the lanes up to a time and says what stands there. */
export function revealLanes(micros) {
  for (const lane of shown?.lanes ?? []) {
    shown.pictures.get(lane.algorithm).reveal(micros);
    const sum = tally(lane, micros);
    const { numbers, now } = parts.get(lane.algorithm);
    numbers.admitted.textContent = sum.admitted;
    numbers.delayed.textContent = sum.delayed;
    numbers.refused.textContent = sum.refused;
    now.textContent = reading(lane, sum, micros);
  }
}

export function redrawLanes(micros) {
  if (shown) {
    showLanes(shown);
    revealLanes(micros);
  }
}

export function drawTable(lanes) {
  table.replaceChildren(...lanes.map(tableOf));
}

function reading(lane, { last }, micros) {
  const left = `${remainingAt(lane, micros)} of ${lane.capacity} left`;
  return last?.refused && last.retryAfterMicros !== 0
    ? `${left}; at ${roughSeconds(last.atMicros)} told to retry ${retryText(last.retryAfterMicros)}`
    : left;
}

function tableOf(lane) {
  const made = element('table', '');
  made.append(element('caption', '', NAMES[lane.algorithm]));
  made.append(row('th', ['at, s', 'admitted', 'of them delayed', 'refused', 'remaining', 'retry after, s']));
  for (const moment of lane.moments) {
    made.append(
      row('td', [
        seconds(moment.atMicros),
        moment.admitted,
        moment.delaysMicros.length,
        moment.refused,
        moment.remaining,
        moment.retryAfterMicros === 0 ? '' : moment.retryAfterMicros < 0 ? 'never' : seconds(moment.retryAfterMicros),
      ]),
    );
  }
  return made;
}

function row(kind, cells) {
  const made = element('tr', '');
  made.append(
    ...cells.map((content) => {
      const cell = element(kind, '', content);
      if (kind === 'th') {
        cell.scope = 'col';
      }
      return cell;
    }),
  );
  return made;
}

function element(name, style, content = '') {
  const made = document.createElement(name);
  if (style) {
    made.className = style;
  }
  made.textContent = content;
  return made;
}
