import { basename } from 'node:path'

/** The config file of json-server 0.17.4. */
export const JSON_SERVER_FILE = 'json-server.json'

const ALIASES: Readonly<Record<string, string>> = {
  p: 'port',
  H: 'host',
  w: 'watch',
  r: 'routes',
  m: 'middlewares',
  s: 'static',
  ro: 'readOnly',
  nc: 'noCors',
  ng: 'noGzip',
  S: 'snapshots',
  d: 'delay',
  i: 'id',
  fks: 'foreignKeySuffix',
  q: 'quiet',
}

const NUMBERS = ['port', 'delay']

/** json-server read its file like flags: short names and quoted numbers worked. A file of that name still may. */
export function fromJsonServer(file: string, raw: unknown): unknown {
  if (basename(file) !== JSON_SERVER_FILE) return raw
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw
  const entries = Object.entries(raw).map(([key, value]: [string, unknown]) => {
    const name = Object.hasOwn(ALIASES, key) ? (ALIASES[key] ?? key) : key
    const isNumber = NUMBERS.includes(name) && typeof value === 'string' && /^\d+$/.test(value)
    return [name, isNumber ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}
