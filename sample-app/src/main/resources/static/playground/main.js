/** Wires the page: presets, form, the two modes, and the playhead. */

import { presets as loadPresets, status as loadStatus, timeLapse, walkthrough as loadWalkthrough } from './api.js';
import { duration, roughSeconds } from './format.js';
import { PAGE_STYLE } from './lane-style.js';
import { summary } from './lane.js';
import { drawTable, redrawLanes, revealLanes, showLanes } from './lanes.js';
import { startLive } from './live.js';
import { pictureOf } from './picture.js';
import { read as readResponse } from './response.js';
import { fill, fillForLive, onChange, read } from './settings.js';
import { renderShop } from './shop.js';
import './theme.js';
import { horizonOf } from './traffic.js';

const byId = (id) => document.getElementById(id);
const play = byId('play');
const slider = byId('time');

const OWN = 'Your own traffic: change a number and see who gets in.';
const LIVE = 'Real requests from this browser to the running limiter. Each lane is told its limit with every answer.';

let presets = [];
let preset = null;
let picture = null;
let live = null;
let frame = 0;
let latest = 0;

document.head.append(Object.assign(document.createElement('style'), { textContent: PAGE_STYLE }));
prepareControls();
await Promise.all([prepareBackend(), preparePresets(), loadWalkthrough().then((steps) => renderShop(byId('shop'), steps))]);
document.documentElement.dataset.ready = 'true';

function prepareControls() {
  play.addEventListener('click', () => (play.dataset.playing ? stop() : isLive() ? playLive() : playTimeLapse()));
  slider.addEventListener('input', () => {
    cancelAnimationFrame(frame);
    setPlaying(false);
    moveTo(picture.view.fromMicros + (slider.value / 1000) * (picture.view.untilMicros - picture.view.fromMicros));
  });
  onChange(() => {
    choosePreset(null);
    refresh();
  });
  document.querySelectorAll('input[name=mode]').forEach((radio) => radio.addEventListener('change', changeMode));
  byId('save').addEventListener('click', savePicture);
  new ResizeObserver(() => picture && redrawLanes(picture.at)).observe(byId('lanes'));
}

async function prepareBackend() {
  const { backend, detail } = await loadStatus();
  byId('backend').textContent = `${backend === 'redis' ? 'Redis' : 'Memory'} backend${detail ? `, ${detail}` : ''}`;
  byId('backend').dataset.backend = backend;
}

async function preparePresets() {
  presets = await loadPresets();
  byId('presets').replaceChildren(
    ...presets.map((candidate) => {
      const chip = Object.assign(document.createElement('button'), { type: 'button', textContent: candidate.title });
      chip.dataset.preset = candidate.id;
      chip.addEventListener('click', () => usePreset(candidate));
      return chip;
    }),
  );
  const wanted = new URLSearchParams(location.search).get('preset');
  await usePreset(presets.find(({ id }) => id === wanted) ?? presets[0]);
}

function usePreset(chosen) {
  stop();
  choosePreset(chosen);
  fill(chosen.scenario);
  return refresh();
}

function choosePreset(chosen) {
  preset = chosen;
  byId('watch').textContent = chosen ? chosen.watch : isLive() ? LIVE : OWN;
  for (const chip of byId('presets').children) {
    chip.setAttribute('aria-pressed', String(chip.dataset.preset === chosen?.id));
  }
}

/** Asks the server for the decisions of the traffic in the form and shows the end of it. */
async function refresh() {
  stop();
  await attempt(async (isLatest) => {
    const { settings, arrivals } = read();
    const view = viewOf(settings, arrivals);
    const { lanes } = await timeLapse({ settings, arrivals, ...range(view) });
    if (isLatest()) {
      display({ lanes, settings, view, focus: preset?.focus ?? [] });
      moveTo(view.untilMicros);
      drawTable(lanes);
      byId('announce').textContent = lanes.map(summary).join('. ');
      sayMode();
    }
  });
}

function viewOf(settings, arrivals) {
  const windowMicros = settings.windowMillis * 1_000;
  const { fromMicros, untilMicros } = preset?.scenario ?? {
    fromMicros: 0,
    untilMicros: horizonOf(arrivals, settings.windowMillis),
  };
  return { fromMicros, untilMicros, windowMicros };
}

function range({ fromMicros, untilMicros }) {
  return { fromMicros: Math.round(fromMicros), untilMicros: Math.round(untilMicros) };
}

function display(next) {
  picture = { ...next, at: next.view.untilMicros };
  showLanes(next);
}

function moveTo(micros) {
  const { fromMicros, untilMicros } = picture.view;
  picture.at = micros;
  revealLanes(micros);
  slider.value = Math.round((1000 * (micros - fromMicros)) / (untilMicros - fromMicros));
  slider.setAttribute('aria-valuetext', roughSeconds(micros));
  byId('clock').textContent = roughSeconds(Math.min(micros, untilMicros));
}

function playTimeLapse() {
  if (!picture) {
    return;
  }
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    moveTo(picture.view.untilMicros);
    return;
  }
  const { fromMicros, untilMicros } = picture.view;
  const start = performance.now();
  setPlaying(true);
  const step = (now) => {
    const share = Math.min(1, Math.max(0, (now - start) / playMillis(picture.view)));
    moveTo(fromMicros + share * (untilMicros - fromMicros));
    if (share < 1) {
      frame = requestAnimationFrame(step);
    } else {
      setPlaying(false);
    }
  };
  frame = requestAnimationFrame(step);
}

/** A minute takes a second, but never so short that nothing can be seen. */
function playMillis({ fromMicros, untilMicros }) {
  return Math.min(12_000, Math.max(4_000, (untilMicros - fromMicros) / 60_000));
}

async function playLive() {
  stop();
  setPlaying(true);
  await attempt(async () => {
    const traffic = read();
    live = await startLive(traffic, {
      started: (run) => beginLive(run, traffic.settings),
      changed: () => {},
      answered: showResponse,
      finished: () => endLive(),
    });
  });
}

/** The last response stays on the page, and the last refusal beside it. */
async function showResponse(address, response) {
  const answer = await readResponse(response);
  const place = response.status === 429 ? 'refusal' : 'response';
  byId('response-hint').hidden = true;
  byId(`${place}-request`).textContent = `GET ${new URL(address).pathname}`;
  answer.show(byId(place));
}

function beginLive(run, settings) {
  const windowMicros = settings.windowMillis * 1_000;
  const last = Math.max(...run.arrivals.map(({ atMicros }) => atMicros));
  const tail = Math.max(1_500_000, ((settings.queue ?? 0) * windowMicros) / Math.max(1, settings.limit));
  const view = { fromMicros: run.fromMicros, untilMicros: last + tail, windowMicros };
  const draw = () => {
    display({ lanes: run.lanes, settings, view, focus: preset?.focus ?? [] });
    const now = run.now();
    moveTo(Math.min(Math.max(now, view.fromMicros), view.untilMicros));
    const wait = view.fromMicros - now;
    byId('mode-note').textContent = wait > 0 ? `Starts in ${roughSeconds(wait)}, at the right place of the window.` : LIVE;
    if (now < view.untilMicros && play.dataset.playing) {
      frame = requestAnimationFrame(draw);
    } else {
      finishLive(run, view);
    }
  };
  frame = requestAnimationFrame(draw);
}

function finishLive(run, view) {
  setPlaying(false);
  live?.stop();
  live = null;
  moveTo(view.untilMicros);
  drawTable(run.lanes);
  byId('announce').textContent = run.lanes.map(summary).join('. ');
}

function endLive() {
  byId('lanes').dataset.answered = 'all';
}

function stop() {
  cancelAnimationFrame(frame);
  live?.stop();
  live = null;
  setPlaying(false);
}

function setPlaying(playing) {
  play.textContent = playing ? 'Stop' : 'Play';
  if (playing) {
    play.dataset.playing = 'true';
    delete byId('lanes').dataset.answered;
  } else {
    delete play.dataset.playing;
  }
}

function changeMode() {
  stop();
  if (isLive()) {
    choosePreset(null);
    fillForLive();
  }
  sayMode();
  if (!isLive()) {
    usePreset(presets[0]);
  } else {
    refresh();
  }
}

function isLive() {
  return document.querySelector('input[name=mode]:checked').value === 'live';
}

function sayMode() {
  if (!picture) {
    return;
  }
  const { fromMicros, untilMicros } = picture.view;
  const length = duration(Math.round((untilMicros - fromMicros) / 100_000) * 100_000);
  byId('mode-note').textContent = isLive()
    ? `Shown below is what to expect. Play sends it for real, which takes about ${length}.`
    : `The running limiter's own code with a clock that is set by hand: ${length} pass in ${playMillis(picture.view) / 1_000} s.`;
}

/** Does something and says what went wrong, unless something newer was begun meanwhile. */
async function attempt(action) {
  const mine = ++latest;
  let message = '';
  try {
    await action(() => mine === latest);
  } catch (failure) {
    message = failure.message;
  }
  if (mine === latest) {
    byId('error').textContent = message;
    byId('error').hidden = message === '';
    if (message) {
      setPlaying(false);
    }
  }
}

function savePicture() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([pictureOf(picture)], { type: 'image/svg+xml' }));
  link.download = `${preset?.id ?? 'rate-limits'}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
}
