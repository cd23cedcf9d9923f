/** The shop's endpoints, to be tried by hand. */

import { read } from './response.js';

/** @param steps [{ title, method, path, headers, note, times }] */
export function renderShop(list, steps) {
  list.replaceChildren(...steps.map(item));
}

function item(step) {
  const entry = document.createElement('li');
  const tally = element('span', 'tally', '');
  tally.setAttribute('role', 'status');
  const output = element('pre', 'response', '');
  output.hidden = true;
  output.tabIndex = 0;
  output.setAttribute('aria-label', `Last response: ${step.title}`);
  entry.append(
    element('h3', '', step.title),
    element('p', '', step.note),
    element('code', '', `${step.method} ${step.path}`),
    actions(step, tally, output),
    output,
  );
  return entry;
}

function actions(step, tally, output) {
  const row = element('div', 'actions', '');
  const once = button('Send', `Send one request: ${step.title}`, () => send(step, 1, tally, output));
  const often = button(`Send ${step.times}`, `Send ${step.times} requests: ${step.title}`, () =>
    send(step, step.times, tally, output),
  );
  row.append(once, often, tally);
  return row;
}

async function send(step, times, tally, output) {
  const answers = await Promise.all(Array.from({ length: times }, () => sendOne(step)));
  const counts = new Map();
  answers.forEach(({ status }) => counts.set(status, (counts.get(status) ?? 0) + 1));
  (answers.find(({ status }) => status === 429) ?? answers[answers.length - 1]).show(output);
  tally.textContent = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

async function sendOne(step) {
  const address = new URL(step.path.replace(/^\//, ''), document.baseURI);
  return read(await fetch(address, { method: step.method, headers: step.headers }));
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
