import { Session } from 'node:inspector/promises'
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { start } from '../src/index.ts'

/*
 * How many of our functions a request runs, counted by V8's precise coverage:
 *   npx tsx scripts/count-functions.ts            the totals
 *   npx tsx scripts/count-functions.ts --files    by file
 */

const SOURCES = pathToFileURL(fileURLToPath(new URL('../src', import.meta.url)) + sep).href
const ROWS = 1000

/** What compilers add: a helper of tsx, and V8's function that sets the fields of a class. */
const NOT_OURS = new Set(['__name', '<instance_members_initializer>'])

interface Counted {
  readonly functions: number
  readonly byFile: ReadonlyMap<string, number>
}

/** Named functions and methods that ran since the last look. */
async function ranSince(session: Session): Promise<Counted> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const byFile = new Map<string, number>()
  for (const { url, functions } of result) {
    if (!url.startsWith(SOURCES)) continue
    const ran = functions.filter(({ ranges: [range], functionName }) => {
      // The module itself begins where its file does.
      return range !== undefined && range.count > 0 && range.startOffset > 0 && !NOT_OURS.has(functionName)
    }).length
    if (ran > 0) byFile.set(url.slice(SOURCES.length), ran)
  }
  return { byFile, functions: [...byFile.values()].reduce((sum, count) => sum + count, 0) }
}

const products = Array.from({ length: ROWS }, (_, at) => ({ id: at + 1, name: `Product ${at}`, price: at }))
const server = await start({ data: { products }, live: false, persist: false })
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const requests: readonly (readonly [name: string, path: string, init?: RequestInit])[] = [
  ['GET', '/products?price_gte=10&_sort=price&_page=2'],
  [
    'POST',
    '/products',
    { method: 'POST', body: '{"name":"new"}', headers: { 'Content-Type': 'application/json' } },
  ],
]
for (const [name, path, init] of requests) {
  // Whatever is made once, by the first request or for its connection, does not count.
  for (const page of ['_page=3', '_page=4']) {
    const other = path.replace('10', '20').replace('_page=2', page)
    await (await fetch(`${server.url}${other}`, init)).text()
  }
  await ranSince(session)
  const response = await fetch(`${server.url}${path}`, init)
  await response.text()
  const { functions, byFile } = await ranSince(session)
  console.log(`${name} ${path}: ${response.status}, ${functions} functions in ${byFile.size} files`)
  if (!process.argv.includes('--files')) continue
  for (const [file, count] of [...byFile].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${count}  ${file}`)
}
await server.close()
