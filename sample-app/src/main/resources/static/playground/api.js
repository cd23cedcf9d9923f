/** The sample's JSON API. */

const BASE = new URL('./', import.meta.url);

export const status = () => json('api/status');

export const presets = () => json('api/presets');

export const walkthrough = () => json('api/walkthrough');

/** Sends a scenario through the limiter with a clock that is set by hand. */
export const timeLapse = (scenario) =>
  json('api/time-lapse', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(scenario),
  });

/** The address of one real, limited request. */
export function liveAddress(algorithm, settings, run, index) {
  const address = new URL(`live/${algorithm}`, BASE);
  address.searchParams.set('limit', settings.limit);
  address.searchParams.set('windowMillis', settings.windowMillis);
  for (const name of ['capacity', 'queue', 'delay', 'nodelay']) {
    if (settings[name] != null && settings[name] !== false) {
      address.searchParams.set(name, settings[name]);
    }
  }
  address.searchParams.set('run', run);
  address.searchParams.set('n', index);
  return address.href;
}

async function json(path, options) {
  const response = await fetch(new URL(path, BASE), options);
  if (response.ok) {
    return response.json();
  }
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail ?? `${response.status} from ${path}`);
}
