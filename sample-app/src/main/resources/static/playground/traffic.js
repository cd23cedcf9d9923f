/** Shapes of traffic, as lists of { atMicros, count }. Time 0 is the edge of a window. */

const SECOND = 1_000_000;

export const SHAPES = [
  { id: 'steady', title: 'Steady' },
  { id: 'edge', title: "Burst at the window's edge", aligned: true },
  { id: 'storm', title: 'Retry storm at the reset', aligned: true },
  { id: 'poisson', title: 'Random (Poisson)' },
  { id: 'page', title: 'Page loads of six resources' },
  { id: 'own', title: 'Own times', aligned: true },
];

const MAKERS = {
  /** Evenly over three windows. */
  steady: ({ window, requests }) =>
    Array.from({ length: requests * 3 }, (_, i) => at((i * window) / requests)),

  /** As many as the number says just before the edge, and again just after it. */
  edge: ({ window, requests }) => [at(window - window / 600, requests), at(window + window / 100, requests)],

  /** Everyone comes at once, and everyone who was refused is back at the very moment of the reset. */
  storm: ({ window, requests }) => [at(window / 5, requests), at(window, requests), at(2 * window, requests)],

  /** Independent clients; the same draw every time, so that algorithms can be compared. */
  poisson: ({ window, requests }) => {
    const random = generator(20261130);
    const arrivals = [];
    for (let t = gap(random); t < 3 * requests; t += gap(random)) {
      arrivals.push(at((t * window) / requests));
    }
    return arrivals;
  },

  /** A browser asks for a page and its parts; as many pages as fit the number, evenly spaced. */
  page: ({ window, requests }) => {
    const pages = Math.max(1, Math.round(requests / 6));
    const spacing = Math.min(30_000, window / pages / 12);
    return Array.from({ length: pages * 3 }, (_, page) =>
      Array.from({ length: 6 }, (_, part) => at(((page + 0.25) * window) / pages + part * spacing)),
    ).flat();
  },
};

/** Makes the arrivals of a shape; own times are read from the text. */
export function arrivalsOf(shape, { windowMillis, requests, text }) {
  if (shape === 'own') {
    return parse(text);
  }
  return merge(MAKERS[shape]({ window: windowMillis * 1_000, requests }));
}

/** The end of the picture: a little after the last arrival, on a whole window where that is near. */
export function horizonOf(arrivals, windowMillis) {
  const window = windowMillis * 1_000;
  const last = Math.max(0, ...arrivals.map((group) => group.atMicros));
  return Math.max(window, Math.ceil((last + window * 0.15) / (window / 4)) * (window / 4));
}

/** Reads "0, 5 x 2, 59.9x100": seconds, each with an optional count. */
export function parse(text) {
  const entries = text.split(/[,;\n]+/).map((entry) => entry.trim()).filter(Boolean);
  return merge(
    entries.map((entry) => {
      const match = /^(\d+(?:\.\d+)?)\s*(?:[x×*]\s*(\d+))?$/i.exec(entry);
      if (!match) {
        throw new Error(`"${entry}" is no time; write seconds such as 5 or 59.9, and a count as 59.9 x 100`);
      }
      return at(Number(match[1]) * SECOND, Number(match[2] ?? 1));
    }),
  );
}

/** Writes arrivals so that parse reads them. */
export function textOf(arrivals) {
  return arrivals
    .map(({ atMicros, count }) => (count === 1 ? `${atMicros / SECOND}` : `${atMicros / SECOND} x ${count}`))
    .join(', ');
}

function at(micros, count = 1) {
  return { atMicros: Math.round(micros), count };
}

function merge(arrivals) {
  const counts = new Map();
  for (const { atMicros, count } of arrivals) {
    counts.set(atMicros, (counts.get(atMicros) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b).map(([atMicros, count]) => ({ atMicros, count }));
}

function gap(random) {
  return -Math.log(1 - random());
}

/** Mulberry32: a small seeded generator. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
