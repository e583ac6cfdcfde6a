import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { start } from '../src/index.ts'

/*
 * How many of our functions a request runs, counted by V8's precise coverage on a server as the command starts it:
 * a file on disk, saved on every write, the request log on, the default layers.
 *   npx tsx scripts/count-functions.ts            the totals
 *   npx tsx scripts/count-functions.ts --files    by file
 *   npx tsx scripts/count-functions.ts --names    by file, with their names
 */

const SOURCES = pathToFileURL(fileURLToPath(new URL('../src', import.meta.url)) + sep).href
const ROWS = 1000
const ROUNDS = 8

/** What compilers add: a helper of tsx, and V8's function that sets the fields of a class. */
const NOT_OURS = new Set(['__name', '<instance_members_initializer>'])

/** What records each request for `GET /__requests`: a budget of its own. */
const RECORDER = /^(?:features\/requests\/|core\/layers\/parts\/captured-body\.ts)/

/** Of pauses, a request only asks whether one is due. The rest runs if the machine was slow. */
const PAUSES = 'core/kernel/util/pace.ts'
const IS_DUE = 'get isUsedUp'

/** The functions and methods that ran since the last look, by file. */
async function ranSince(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const byFile = new Map<string, readonly string[]>()
  for (const { url, functions } of result) {
    if (!url.startsWith(SOURCES)) continue
    const file = url.slice(SOURCES.length)
    const ran = functions.filter(({ ranges: [range], functionName }) => {
      // The module itself begins where its file does.
      if (range === undefined || range.count === 0 || range.startOffset === 0) return false
      return file === PAUSES ? functionName === IS_DUE : !NOT_OURS.has(functionName)
    })
    const names = ran.map(({ functionName }) => functionName || '(anonymous)')
    if (names.length > 0) byFile.set(file, names)
  }
  return byFile
}

/** Sends a request; resolves with its status once the last byte of the response is there. */
function send(socket: Socket, method: string, path: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const head = text.slice(0, text.indexOf('\r\n\r\n') + 4)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (head === '' || text.length < head.length + length) return
      socket.off('data', onData)
      if (Number.isNaN(length)) reject(new Error(`A response without a length: ${head}`))
      else resolve(text.slice(9, 12))
    }
    socket.on('data', onData)
    const type = body ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` : ''
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\n${body}`)
  })
}

type Request = readonly [method: string, path: string, body?: string]

const REQUESTS: readonly Request[] = [
  ['GET', '/products?price_gte=10&_sort=price&_page=2'],
  ['POST', '/products', '{"name":"new"}'],
]

interface Counted {
  readonly status: string
  readonly total: number
  readonly byFile: ReadonlyMap<string, readonly string[]>
}

/** On a server of its own. What is made once, by the first request or for its connection, does not count. */
async function countOnce(session: Session, request: Request): Promise<Counted> {
  const [method, path, body] = request
  const folder = await mkdtemp(join(tmpdir(), 'restable-count-'))
  const source = join(folder, 'db.json')
  const products = Array.from({ length: ROWS }, (_, at) => ({ id: at + 1, name: `Product ${at}`, price: at }))
  await writeFile(source, JSON.stringify({ products }, null, 2))
  let logged = 0
  const print = (lines: string) => {
    logged += lines.split('\n').length
  }
  const server = await start({ source, print })
  const socket = connect(server.port, '127.0.0.1')
  // A read is cold: no other had its query.
  const before = [['GET', '/products/1'], ['GET', '/products?_limit=1'], ...(body ? [request, request] : [])]
  for (const [method = '', path = '', body] of before) await send(socket, method, path, body)
  // Lines of the log are printed together, a moment after their requests.
  while (logged < before.length) await nextTurn()
  await ranSince(session)
  const status = await send(socket, method, path, body)
  const byFile = await ranSince(session)
  while (logged <= before.length) await nextTurn()
  socket.destroy()
  await server.close()
  await rm(folder, { recursive: true })
  return { status, byFile, total: [...byFile.values()].reduce((sum, names) => sum + names.length, 0) }
}

if (process.env.NODE_ENV === 'test') throw new Error('With NODE_ENV=test, no request is logged: unset it.')
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
console.log('Counted on db.json in a folder for temporary files, saved, with the request log on, from the')
console.log(
  `request's first byte on the socket to the response's last; the least of ${ROUNDS}, without pauses:`,
)
for (const request of REQUESTS) {
  const counts: Counted[] = []
  for (let round = 0; round < ROUNDS; round++) counts.push(await countOnce(session, request))
  const [least] = counts.sort((a, b) => a.total - b.total)
  if (!least) throw new Error('Nothing was counted')
  const { status, total, byFile } = least
  const recording = [...byFile].reduce(
    (sum, [file, names]) => sum + (RECORDER.test(file) ? names.length : 0),
    0,
  )
  const counted = `${total - recording} functions, and ${recording} that record it, in ${byFile.size} files`
  console.log(`${request[0]} ${request[1]}: ${status}, ${counted}`)
  if (!process.argv.includes('--files') && !process.argv.includes('--names')) continue
  for (const [file, names] of [...byFile].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`  ${names.length}  ${file}`)
    if (process.argv.includes('--names')) console.log(`       ${names.join(', ')}`)
  }
}
