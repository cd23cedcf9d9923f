/** The form: limits and traffic. */

import { SHAPES, arrivalsOf, textOf } from './traffic.js';

const form = document.getElementById('settings');
const fields = form.elements;

fields.shape.replaceChildren(...SHAPES.map(({ id, title }) => new Option(title, id)));

/** Calls back when the visitor changed something. */
export function onChange(listener) {
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    showFields();
    listener();
  });
}

/** Fills the form from a preset. */
export function fill({ settings, arrivals }) {
  fields.limit.value = settings.limit;
  fields.window.value = settings.windowMillis / 1_000;
  fields.capacity.value = settings.capacity ?? '';
  fields.queue.value = settings.queue ?? '';
  fields.delay.value = settings.delay ?? '';
  fields.nodelay.checked = settings.nodelay === true;
  fields.requests.value = Math.max(1, Math.min(500, settings.limit));
  fields.shape.value = 'own';
  fields.text.value = textOf(arrivals);
  showFields();
}

/** Sets the form to a short run that suits live mode. */
export function fillForLive() {
  fill({ settings: { limit: 4, windowMillis: 5_000, queue: 3 }, arrivals: [] });
  fields.shape.value = 'page';
  fields.requests.value = 6;
  showFields();
}

/** Reads the form. @throws Error saying what cannot be read */
export function read() {
  const invalid = [...form.querySelectorAll('input, select, textarea')].find((field) => !field.checkValidity());
  if (invalid) {
    throw new Error(`${invalid.labels[0].textContent.trim()}: ${invalid.validationMessage}`);
  }
  const settings = {
    limit: Number(fields.limit.value),
    windowMillis: Math.round(Number(fields.window.value) * 1_000),
    capacity: optional(fields.capacity),
    queue: optional(fields.queue),
    delay: optional(fields.delay),
    nodelay: fields.nodelay.checked,
  };
  const shape = SHAPES.find(({ id }) => id === fields.shape.value);
  const arrivals = arrivalsOf(shape.id, {
    windowMillis: settings.windowMillis,
    requests: Number(fields.requests.value),
    text: fields.text.value,
  });
  if (arrivals.length === 0) {
    throw new Error('Arrivals: nothing arrives; write seconds such as 0, 5 x 2, 15');
  }
  return { settings, arrivals, aligned: shape.aligned === true };
}

function optional(field) {
  return field.value === '' ? null : Number(field.value);
}

function showFields() {
  const own = fields.shape.value === 'own';
  document.getElementById('text-field').hidden = !own;
  document.getElementById('requests-field').hidden = own;
}
