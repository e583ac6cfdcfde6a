import type { Growth } from './result.ts'
import type { Point } from './statistics.ts'

const PANEL = { width: 212, height: 190, gap: 44 }
/** A single panel is narrower than what stands above it. */
const LEGEND_WIDTH = 660
const MARGIN = { left: 62, top: 76, right: 28, bottom: 62 }

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-size: 15px; font-weight: 600; fill: #1f2328 }
  .head { font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
  .ours { stroke: #0969da } circle.ours, text.ours { fill: #0969da; stroke: none }
  .rival { stroke: #bc4c00; stroke-dasharray: 6 4 } circle.rival, text.rival { fill: #bc4c00; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 }
    .title, .head { fill: #f0f6fc }
    .grid { stroke: #3d444d }
    .ours { stroke: #58a6ff } circle.ours, text.ours { fill: #58a6ff }
    .rival { stroke: #f0883e } circle.rival, text.rival { fill: #f0883e }
  }`

/** Time per request against rows, both on logarithmic scales: one panel per kind of work. */
export function plot(growth: readonly Growth[], caption: string): string {
  const points = growth.flatMap(({ ours, rival }) => [...ours, ...rival])
  const x = scale(decades(points.map(({ rows }) => rows)), PANEL.width, 0)
  const y = scale(decades(points.map(({ ms }) => ms)), 0, PANEL.height)
  const panels = growth.map((one, index) => panel(one, index, x, y))
  const across = growth.length * (PANEL.width + PANEL.gap) - PANEL.gap
  const width = Math.max(MARGIN.left + across + MARGIN.right, LEGEND_WIDTH)
  const height = MARGIN.top + PANEL.height + MARGIN.bottom
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="name">
<title id="name">Time per request against rows: restable and json-server 0.17.4</title>
<style>${STYLE}
</style>
${label('title', MARGIN.left, 26, 'Time per request as data grows')}
${legend('ours', MARGIN.left + 290, 'restable')}
${legend('rival', MARGIN.left + 410, 'json-server 0.17.4')}
${y.ticks.map((tick) => label('', MARGIN.left - 8, MARGIN.top + y.at(tick) + 4, time(tick), 'end')).join('\n')}
${panels.join('\n')}
${label('', MARGIN.left + across / 2, MARGIN.top + PANEL.height + 36, 'rows (both scales are logarithmic)', 'middle')}
${label('', MARGIN.left, height - 8, escapeXml(caption))}
</svg>
`
}

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

function panel({ title, ours, rival }: Growth, index: number, x: Scale, y: Scale): string {
  const { width, height, gap } = PANEL
  return `<g transform="translate(${MARGIN.left + index * (width + gap)} ${MARGIN.top})">
${label('head', 0, -12, escapeXml(title.replaceAll('`', '')))}
${y.ticks.map((tick) => `<path class="grid" d="M0 ${y.at(tick)}H${width}"/>`).join('\n')}
${x.ticks.map((tick) => label('', x.at(tick), height + 18, shortCount(tick), 'middle')).join('\n')}
${curve('rival', rival, x, y)}
${curve('ours', ours, x, y)}
</g>`
}

function curve(side: 'ours' | 'rival', points: readonly Point[], x: Scale, y: Scale): string {
  const places = points.map(({ rows, ms }) => ({ left: x.at(rows), top: y.at(ms) }))
  const path = places.map(({ left, top }, n) => `${n === 0 ? 'M' : 'L'}${left} ${top}`).join('')
  const dots = places.map(({ left, top }) => `<circle class="${side}" cx="${left}" cy="${top}" r="3.5"/>`)
  return `<path class="line ${side}" d="${path}"/>${dots.join('')}`
}

function legend(side: 'ours' | 'rival', left: number, text: string): string {
  return `<path class="line ${side}" d="M${left} 21h26"/>${label(side, left + 34, 25, text)}`
}

/** Whole powers of ten from the smallest value to the largest, at least two of them. */
function decades(values: readonly number[]): readonly number[] {
  const first = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n))
}

/** Places powers of ten at even distances: the largest at `high`, the smallest at `low`. */
function scale(ticks: readonly number[], high: number, low: number): Scale {
  const from = Math.log10(ticks[0] ?? 1)
  const to = Math.log10(ticks.at(-1) ?? 10)
  return {
    ticks,
    at: (value) => Number((low + ((Math.log10(value) - from) / (to - from)) * (high - low)).toFixed(1)),
  }
}

function label(style: string, left: number, top: number, text: string, anchor = 'start'): string {
  return `<text class="${style}" x="${left}" y="${top}" text-anchor="${anchor}">${text}</text>`
}

function time(ms: number): string {
  if (ms >= 1000) return `${Math.round(ms / 1000)} s`
  return ms >= 1 ? `${Math.round(ms)} ms` : `${Math.round(ms * 1000)} µs`
}

function shortCount(rows: number): string {
  return rows >= 1000 ? `${Math.round(rows / 1000)}k` : String(rows)
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
