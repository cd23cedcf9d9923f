/** The shop's endpoints, to be tried by hand. */

import { show } from './response.js';

/** @param steps [{ title, method, path, headers, note, times }] */
export function renderShop(list, steps) {
  list.replaceChildren(...steps.map(item));
}

function item(step) {
  const entry = document.createElement('li');
  const tally = element('span', 'tally', '');
  tally.setAttribute('role', 'status');
  entry.append(
    element('h3', '', step.title),
    element('p', '', step.note),
    element('code', '', `${step.method} ${step.path}`),
    actions(step, tally),
  );
  return entry;
}

function actions(step, tally) {
  const row = element('div', 'actions', '');
  const once = button('Send', `Send one request: ${step.title}`, () => send(step, 1, tally));
  const often = button(`Send ${step.times}`, `Send ${step.times} requests: ${step.title}`, () =>
    send(step, step.times, tally),
  );
  row.append(once, often, tally);
  return row;
}

async function send(step, times, tally) {
  const statuses = await Promise.all(Array.from({ length: times }, () => sendOne(step)));
  const counts = new Map();
  statuses.forEach((status) => counts.set(status, (counts.get(status) ?? 0) + 1));
  tally.textContent = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

async function sendOne(step) {
  const address = new URL(step.path.replace(/^\//, ''), document.baseURI).href;
  const response = await fetch(address, { method: step.method, headers: step.headers });
  return show(step.method, address, response);
}

function button(label, name, action) {
  const made = element('button', '', label);
  made.type = 'button';
  made.setAttribute('aria-label', name);
  made.addEventListener('click', action);
  return made;
}

function element(name, style, content) {
  const made = document.createElement(name);
  made.className = style;
  made.textContent = content;
  return made;
}
