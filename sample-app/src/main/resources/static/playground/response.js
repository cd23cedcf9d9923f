/** Shows a response as it came over the wire. */

const LIMITER = /^(ratelimit|x-ratelimit|retry-after)/;
const REASONS = { 200: 'OK', 201: 'Created', 401: 'Unauthorized', 429: 'Too Many Requests' };
const HIDDEN = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'vary']);

/** Reads a whole response. @returns {{ status: number, show(output: Element): void }} */
export async function read(response) {
  const body = await response.text();
  return {
    status: response.status,
    show(output) {
      output.hidden = false;
      output.replaceChildren(
        part(`status ${response.ok ? 'ok' : 'bad'}`, `${response.status} ${reason(response)}\n`),
        ...headers(response),
        part('faint', body ? `\n${pretty(body, response)}` : ''),
      );
    },
  };
}

function reason(response) {
  return response.statusText || REASONS[response.status] || '';
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
