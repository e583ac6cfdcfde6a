import type { Codec } from './codec.ts'

/** The format of a data file. Plain JSON needs no codec. */
export type FileFormat = 'json' | CodecName
export type CodecName = 'jsonc' | 'json5' | 'yaml' | 'csv' | 'ndjson'

const FORMATS: Readonly<Record<string, FileFormat>> = {
  json: 'json',
  jsonc: 'jsonc',
  json5: 'json5',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
}

export const DATA_ENDINGS: readonly string[] = Object.keys(FORMATS).map((ending) => `.${ending}`)

export function formatOf(path: string): FileFormat | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** Whether it holds rows, and nothing else. */
export function isListFormat(format: FileFormat): boolean {
  return format === 'csv' || format === 'ndjson'
}

/** Loaded when a file needs it: the parsers are large. */
export const CODECS: Readonly<Record<CodecName, () => Promise<Codec>>> = {
  jsonc: async () => (await import('./jsonc.ts')).jsonc,
  json5: async () => (await import('./json5.ts')).json5,
  yaml: async () => (await import('./yaml.ts')).yaml,
  csv: async () => (await import('./csv.ts')).csv,
  ndjson: async () => (await import('./ndjson.ts')).ndjson,
}
