import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataset, type Product } from '../generate/dataset.ts'
import { serializeSections } from '../generate/serialize-sections.ts'
import { streamToFile } from '../generate/stream-to-file.ts'
import type { CannedAnswer } from './bare-server.ts'
import type { Pair } from './check.ts'
import { type OwnName, type RunningServer, type ServerName, startServer } from './servers.ts'
import { asks, type Sample } from './works.ts'

const SEED = 2026
const SAMPLE_ROWS = 10_000

/** Who is measured, and beside whom. */
export type PairNames = readonly [ours: OwnName, rival: ServerName]

/** The pair of all lines that do not say otherwise. */
export const BOTH: PairNames = ['restable', 'json-server']

/** Where servers get their data: a folder of its own, and copies that nobody shares. */
export interface Workshop {
  sample(rows: number): Sample
  /** Starts one server on a fresh copy of the data; the caller stops it. */
  start(name: Exclude<ServerName, 'bare'>, rows: number): Promise<RunningServer>
  /** Starts ours and another one, hands them over, and stops both. */
  withPair<T>(names: PairNames, rows: number, use: (pair: Pair) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens a workshop in the temporary folder of the system. */
export async function openWorkshop(signal?: AbortSignal): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'restable-bench-'))
  const made = new Map<number, Promise<string>>()
  const samples = new Map<number, Sample>()
  let copies = 0

  const original = (rows: number): Promise<string> => {
    const file = made.get(rows) ?? generate(join(folder, `rows-${rows}.json`), rows, signal)
    made.set(rows, file)
    return file
  }
  const sample = (rows: number): Sample => {
    const known = samples.get(rows) ?? sampleOf(rows)
    samples.set(rows, known)
    return known
  }
  const start = async (name: ServerName, rows: number): Promise<RunningServer> => {
    const file = join(folder, `copy-${copies++}.json`)
    await copyFile(await original(rows), file)
    return await withoutFile(await startServer(name, file, signal), file)
  }
  const startBare = async (ours: RunningServer, asked: Sample): Promise<RunningServer> => {
    const file = join(folder, `canned-${copies++}.json`)
    await writeFile(file, JSON.stringify(await cannedItems(ours, asked)))
    return await withoutFile(await startServer('bare', file, signal), file)
  }

  return {
    sample,
    start,
    async withPair([name, rival], rows, use) {
      const ours = await start(name, rows)
      try {
        const other = rival === 'bare' ? await startBare(ours, sample(rows)) : await start(rival, rows)
        try {
          return await use({ ours, rival: other })
        } finally {
          await other.stop()
        }
      } finally {
        await ours.stop()
      }
    },
    close: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** With 100 products the reference data; with many, ten of them for each company. */
export function companiesFor(rows: number): number {
  return Math.max(100, Math.floor(rows / 10))
}

function sections(rows: number) {
  return dataset({ products: rows, companies: companiesFor(rows), seed: SEED, locale: 'en' })
}

async function generate(file: string, rows: number, signal?: AbortSignal): Promise<string> {
  await streamToFile(file, textOf(rows, signal))
  return file
}

function* textOf(rows: number, signal?: AbortSignal): Generator<string> {
  for (const { text } of serializeSections(sections(rows))) {
    signal?.throwIfAborted()
    yield text
  }
}

function sampleOf(rows: number): Sample {
  const products: Product[] = []
  for (const row of sections(rows)[0]?.rows ?? []) {
    if ('company_id' in row) products.push(row)
    if (products.length >= SAMPLE_ROWS) break
  }
  return { rows, companies: companiesFor(rows), products }
}

/** Our own answers to the items, header by header, for the bare server to send. */
async function cannedItems(ours: RunningServer, sample: Sample): Promise<Record<string, CannedAnswer>> {
  const answers: Record<string, CannedAnswer> = {}
  for (let n = 0; n < sample.rows; n++) {
    const { path } = asks.item(sample, n)
    const answer = await fetch(`http://localhost:${ours.port}${path}`, {
      headers: { 'accept-encoding': 'identity' },
    })
    // Node itself sends these three, to everyone.
    const headers = [...answer.headers].filter(([name]) => !/^(connection|date|keep-alive)$/.test(name))
    answers[path] = { headers: Object.fromEntries(headers), body: await answer.text() }
  }
  return answers
}

async function withoutFile(server: RunningServer, file: string): Promise<RunningServer> {
  return {
    ...server,
    stop: async () => {
      await server.stop()
      await rm(file, { force: true })
    },
  }
}
