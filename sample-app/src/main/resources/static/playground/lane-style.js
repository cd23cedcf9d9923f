/** The look of a lane, on the page and in the pictures that are exported from it. */

const LIGHT = `
  --lane-paper: #ffffff; --lane-ink: #1c2430; --lane-quiet: #5f6b7a; --lane-line: #d5dbe3; --lane-edge: #9aa6b5;
  --lane-fill: #d6e4fb; --lane-curve: #2c62c4;
  --lane-admitted: #0b7a67; --lane-delayed: #a86a00; --lane-refused: #c6273f;`;

const DARK = `
  --lane-paper: #181f29; --lane-ink: #e8edf4; --lane-quiet: #9eabbc; --lane-line: #2d3846; --lane-edge: #64738a;
  --lane-fill: #1d3560; --lane-curve: #7fadff;
  --lane-admitted: #3cc9ad; --lane-delayed: #f0b040; --lane-refused: #ff7186;`;

const SHAPES = `
  .lane-text { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--lane-quiet); }
  .lane-paper { fill: var(--lane-paper); }
  .lane-number { font-weight: 600; }
  .lane-count { font-size: 15px; font-weight: 700; }
  .lane-number.admitted, .lane-count.admitted { fill: var(--lane-admitted); }
  .lane-number.delayed, .lane-count.delayed { fill: var(--lane-delayed); }
  .lane-number.refused, .lane-count.refused { fill: var(--lane-refused); }
  .lane-title { font: 600 14px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--lane-ink); }
  .lane-area { fill: var(--lane-fill); }
  .lane-curve { fill: none; stroke: var(--lane-curve); stroke-width: 1.5; stroke-linejoin: round; }
  .lane-rule { stroke: var(--lane-line); stroke-width: 1; }
  .lane-base { stroke: var(--lane-edge); stroke-width: 1; }
  .lane-edge { stroke: var(--lane-edge); stroke-width: 1; stroke-dasharray: 3 3; }
  .lane-full { stroke: var(--lane-line); stroke-dasharray: 2 3; }
  .lane-admitted { fill: var(--lane-admitted); }
  .lane-delayed { fill: var(--lane-delayed); }
  .lane-ring { fill: none; stroke: var(--lane-delayed); stroke-width: 1.6; }
  .lane-wait { stroke: var(--lane-delayed); stroke-width: 1.6; }
  .lane-refused { fill: var(--lane-refused); }
  .lane-cross { fill: none; stroke: var(--lane-refused); stroke-width: 1.9; stroke-linecap: round; }
  .lane-head { stroke: var(--lane-ink); stroke-width: 1.25; }`;

/** For the page, whose theme may be chosen. */
export const PAGE_STYLE = `
  :root { ${LIGHT} }
  @media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} } }
  :root[data-theme="dark"] { ${DARK} }
  ${SHAPES}`;

/** For a picture that stands alone. */
export const PICTURE_STYLE = `
  svg { ${LIGHT} }
  @media (prefers-color-scheme: dark) { svg { ${DARK} } }
  ${SHAPES}`;
