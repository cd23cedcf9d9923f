/** Words and numbers as people read them. Times are microseconds throughout. */

export const ALGORITHMS = ['FIXED_WINDOW', 'SLIDING_LOG', 'SLIDING_COUNTER', 'TOKEN_BUCKET', 'LEAKY_BUCKET'];

export const NAMES = {
  FIXED_WINDOW: 'Fixed window',
  SLIDING_LOG: 'Sliding log',
  SLIDING_COUNTER: 'Sliding counter',
  TOKEN_BUCKET: 'Token bucket',
  LEAKY_BUCKET: 'Leaky bucket',
};

export const IDEAS = {
  FIXED_WINDOW: 'Counts per window of the clock.',
  SLIDING_LOG: 'Remembers every admitted request for one window.',
  SLIDING_COUNTER: 'Weighs the last window by how much of it still overlaps.',
  TOKEN_BUCKET: 'Tokens flow in steadily and are spent in bursts.',
  LEAKY_BUCKET: 'Requests queue and leave at a steady pace.',
};

const SECOND = 1_000_000;

const UNITS = [
  { size: 60 * SECOND, name: 'min' },
  { size: SECOND, name: 's' },
  { size: 1_000, name: 'ms' },
];

/** 90 s, 2 min, 250 ms: the largest unit that divides the time, else seconds as they are. */
export function duration(micros) {
  if (micros === 0) {
    return '0 s';
  }
  const unit = UNITS.find(({ size }) => Math.abs(micros) >= size && micros % size === 0);
  return unit ? `${micros / unit.size} ${unit.name}` : `${seconds(micros)} s`;
}

/** Seconds with as many digits as needed, at most the microsecond. */
export function seconds(micros) {
  return String(Math.round(micros) / SECOND);
}

/** Seconds cut to hundredths, for readings that move. */
export function roughSeconds(micros) {
  return `${(Math.floor(micros / 10_000) / 100).toFixed(2)} s`;
}

export function plural(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** What a limit says of itself, for the heading of a lane. */
export function describe(algorithm, settings) {
  const rate = `${settings.limit} per ${duration(settings.windowMillis * 1_000)}`;
  switch (algorithm) {
    case 'TOKEN_BUCKET':
      return settings.capacity == null ? rate : `${rate}, burst ${settings.capacity}`;
    case 'LEAKY_BUCKET':
      return `${rate}, queue ${settings.queue ?? 0}${settings.nodelay ? ', nodelay' : settings.delay ? `, delay ${settings.delay}` : ''}`;
    default:
      return rate;
  }
}

/** What happened in a lane up to a time. */
export function tally(lane, untilMicros) {
  const sum = { arrivals: 0, admitted: 0, delayed: 0, refused: 0, last: null };
  for (const moment of lane.moments) {
    if (moment.atMicros > untilMicros) {
      break;
    }
    sum.admitted += moment.admitted;
    sum.delayed += moment.delaysMicros.length;
    sum.refused += moment.refused;
    sum.last = moment;
  }
  sum.arrivals = sum.admitted + sum.refused;
  return sum;
}

/** The capacity at a time, read from the steps of the curve. */
export function remainingAt(lane, micros) {
  let remaining = lane.capacity;
  for (const point of lane.curve) {
    if (point.atMicros > micros) {
      break;
    }
    remaining = point.remaining;
  }
  return remaining;
}

export function retryText(retryAfterMicros) {
  return retryAfterMicros < 0 ? 'never' : `after ${seconds(retryAfterMicros)} s`;
}
