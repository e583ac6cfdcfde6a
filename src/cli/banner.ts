import type { RunningServer } from '../index.ts'
import { examplesOf, shownSource } from '../internals.ts'
import { aboutSampleData } from './sample-data.ts'
import { isDatabase } from './terminal.ts'

export type Shown = Pick<
  RunningServer,
  'url' | 'page' | 'config' | 'resources' | 'rules' | 'thumbprints' | 'handlers'
> & {
  readonly count: (resource: string) => number | undefined
}

export interface BannerOptions {
  readonly version: string
  readonly style?: (style: 'bold' | 'dim', text: string) => string
  /** Whether there is a terminal to type `s` + Enter in. */
  readonly canType?: boolean
}

export function banner(server: Shown, options: BannerOptions): string {
  const { version, style = (_, text) => text, canType = false } = options
  const { url, page, config, rules, thumbprints } = server
  const what = examplesOf(config) ?? shownSource(config.source ?? 'data in memory')
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Resources', resourceLines(server)],
    ['Handlers', server.handlers],
    ['Other routes', columns(Object.entries(rules).map(([from, to]) => [from, `→ ${to}`]))],
    ['Layers, in order', config.middlewares.length === 0 ? [] : [config.middlewares.join(', ')]],
    ['Certificate', thumbprints ? [`SHA-1    ${thumbprints.sha1}`, `SHA-256  ${thumbprints.sha256}`] : []],
    [
      'Home',
      page === url
        ? [url]
        : columns([
            [url, 'your own index.html'],
            [page, 'data, requests and settings'],
          ]),
    ],
  ]
  const lines = sections
    .filter(([, body]) => body.length > 0)
    .flatMap(([title, body]) => ['', style('bold', title), ...body])
  return [
    '',
    `${style('bold', `restable ${version}`)} serves ${what}`,
    ...lines,
    '',
    ...asides(server, canType).map((text) => style('dim', text)),
  ]
    .map((text) => (text === '' ? '' : `  ${text}`))
    .join('\n')
    .concat('\n')
}

function resourceLines({ url, resources, count }: Shown): readonly string[] {
  return columns(
    resources.map((name) => {
      const rows = count(name)
      return [`${url}/${encodeURIComponent(name.toWellFormed())}`, rows === undefined ? '' : `${rows}`]
    }),
  )
}

function asides({ config }: Shown, canType: boolean): readonly string[] {
  const sample = aboutSampleData(config)
  return [
    ...(sample === undefined ? [] : [sample]),
    ...(config.readOnly ? ['Read-only: nothing can be changed'] : []),
    ...(config.watch ? ['Watching files for changes'] : []),
    ...(config.snapshots !== undefined && canType
      ? [`Type s + Enter to save a snapshot in ${isDatabase(config) ? 'the database' : config.snapshots}`]
      : []),
    'Press Ctrl+C to stop',
  ]
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`.trimEnd())
}
