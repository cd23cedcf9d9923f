/** Shows the last response as it came over the wire. */

const LIMITER = /^(ratelimit|x-ratelimit|retry-after)/;
const HIDDEN = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'vary']);

const request = document.getElementById('response-request');
const output = document.getElementById('response');
const hint = document.getElementById('response-hint');

/** Reads the whole response and shows it; returns its status. */
export async function show(method, address, response) {
  const body = await response.text();
  const url = new URL(address, location.href);
  hint.hidden = true;
  output.hidden = false;
  request.textContent = `${method} ${decodeURIComponent(url.pathname)}`;
  output.replaceChildren(
    part('status ' + (response.ok ? 'ok' : 'bad'), `${response.status} ${response.ok ? 'OK' : reason(response)}\n`),
    ...headers(response),
    part('faint', body ? `\n${pretty(body, response)}` : ''),
  );
  return response.status;
}

function reason(response) {
  return response.statusText || { 401: 'Unauthorized', 429: 'Too Many Requests' }[response.status] || '';
}

function headers(response) {
  const entries = [...response.headers].filter(([name]) => !HIDDEN.has(name));
  const first = ([name]) => (LIMITER.test(name) ? 0 : 1);
  return entries
    .sort((a, b) => first(a) - first(b))
    .flatMap(([name, value]) => [part(LIMITER.test(name) ? 'key' : 'faint', `${name}: `), part('', `${value}\n`)]);
}

function pretty(body, response) {
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    return body;
  }
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}

function part(style, content) {
  const span = document.createElement('span');
  span.className = style;
  span.textContent = content;
  return span;
}
