/** Live mode: real requests from this browser to the running limiter, in real time. */

import { liveAddress, status } from './api.js';
import { ALGORITHMS } from './format.js';

const SECOND = 1_000_000;

/** A little time before the first request. */
const LEAD = SECOND * 0.4;

/**
 * Sends the traffic to all five algorithms.
 *
 * @param traffic { settings, arrivals, aligned }: aligned traffic starts where its first request has the right distance
 *     from the edge of the window on the server's clock
 * @param listener { started(run), changed(), answered(address, response), finished() }
 * @returns {Promise<{ stop(): void }>} the running traffic
 */
export async function startLive({ settings, arrivals, aligned }, listener) {
  const run = await newRun(settings, arrivals, aligned);
  const aborter = new AbortController();
  const timers = [];
  let open = run.arrivals.reduce((sum, { count }) => sum + count, 0) * ALGORITHMS.length;
  let index = 0;

  async function sendOne(algorithm) {
    const address = liveAddress(algorithm, settings, run.id, ++index);
    const sent = run.now();
    try {
      const response = await fetch(address, { signal: aborter.signal, cache: 'no-store' });
      record(run, algorithm, sentAt(address, run, sent), run.now(), response);
      await listener.answered(address, response);
      listener.changed();
    } catch (failure) {
      if (failure.name !== 'AbortError') {
        throw failure;
      }
    } finally {
      if (--open === 0) {
        listener.finished();
      }
    }
  }

  listener.started(run);
  for (const { atMicros, count } of run.arrivals) {
    timers.push(
      setTimeout(() => {
        for (let i = 0; i < count; i++) {
          ALGORITHMS.forEach(sendOne);
        }
      }, (atMicros - run.now()) / 1_000),
    );
  }
  return {
    stop() {
      timers.forEach(clearTimeout);
      aborter.abort();
    },
  };
}

/** Time on the picture runs as the server's clock does, so that windows have their edges at multiples of their length. */
async function newRun(settings, arrivals, aligned) {
  const window = settings.windowMillis * 1_000;
  const asked = performance.now();
  const { clockMicros } = await status();
  const received = performance.now();
  const phase = (clockMicros + ((received - asked) / 2) * 1_000) % window;
  const first = arrivals[0].atMicros;
  const shift = aligned ? (first < LEAD ? window : 0) : phase + LEAD - first;
  const from = aligned ? first + shift - LEAD : phase;
  const untilStart = (((from - phase) % window) + window) % window;
  const zero = received + untilStart / 1_000 - from / 1_000;
  return {
    id: `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`,
    arrivals: arrivals.map(({ atMicros, count }) => ({ atMicros: atMicros + shift, count })),
    fromMicros: from,
    servedAtOnce: settings.nodelay ? 0 : (settings.queue ?? 0) - (settings.delay ?? 0),
    lanes: ALGORITHMS.map((algorithm) => emptyLane(algorithm, settings)),
    now: () => Math.round((performance.now() - zero) * 1_000),
  };
}

function emptyLane(algorithm, settings) {
  const capacity = {
    TOKEN_BUCKET: settings.capacity ?? settings.limit,
    LEAKY_BUCKET: (settings.queue ?? 0) + 1,
  };
  return { algorithm, capacity: capacity[algorithm] ?? settings.limit, moments: [], curve: [] };
}

/** When the request really left: a browser keeps only a few connections to one server. */
function sentAt(address, run, sent) {
  const [timing] = performance.getEntriesByName(address, 'resource');
  if (!timing?.requestStart) {
    return sent;
  }
  return Math.max(sent, run.now() - Math.round((performance.now() - timing.requestStart) * 1_000));
}

/** Whoever leaves fewer free places in the leaky bucket's queue than are served at once, had to wait. */
function record(run, algorithm, sent, answered, response) {
  const lane = run.lanes.find((candidate) => candidate.algorithm === algorithm);
  const quota = response.headers.get('RateLimit') ?? '';
  const remaining = Number(/;r=(\d+)/.exec(quota)?.[1] ?? 0);
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0) * SECOND;
  const waited = response.ok && algorithm === 'LEAKY_BUCKET' && remaining < run.servedAtOnce;
  lane.moments.push({
    atMicros: sent,
    admitted: response.ok ? 1 : 0,
    refused: response.ok ? 0 : 1,
    delaysMicros: waited ? [answered - sent] : [],
    remaining,
    retryAfterMicros: retryAfter,
    resetAfterMicros: Number(/;t=(\d+)/.exec(quota)?.[1] ?? 0) * SECOND,
  });
  lane.moments.sort((a, b) => a.atMicros - b.atMicros);
  lane.curve = lane.moments.map((moment) => ({ atMicros: moment.atMicros, remaining: moment.remaining }));
}
