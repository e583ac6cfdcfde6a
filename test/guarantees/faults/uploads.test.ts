import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { serveHome } from '../../support/child/real-server.ts'
import { Random } from '../../support/faults/random.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const ROUNDS = asLong(4, 200)
const DIE = pathToFileURL('test/support/faults/die-at-step.mjs').href

interface Row {
  readonly id: number
  readonly key: string
  readonly files?: readonly { readonly url: string }[]
}

/** The rows that were confirmed, and the write whose fate is not known. */
interface Expected {
  readonly rows: Map<string, Row>
  pending: string | undefined
}

it(`${ROUNDS} times killed with -9 at a step of a random upload, each answered row has its files whole, and no others are left`, {
  timeout: ROUNDS * 20_000,
}, async () => {
  const home = folderOf({ 'db.json': { posts: [] } })
  const expected: Expected = { rows: new Map(), pending: undefined }
  const random = new Random(55)
  let confirmed = 0
  for (let round = 1; round <= ROUNDS; round += 1) {
    const env = { NODE_OPTIONS: `--import ${DIE}`, DIE_AT: String(random.below(120)), DIE_IN: home }
    // It may die as it starts.
    const dying = await serveHome(home, { args: ['--uploads'], env }).catch(() => undefined)
    while (dying && (await isWritten(`http://localhost:${dying.port}`, expected, random, round)))
      confirmed += 1
    const server = await serveHome(home, { args: ['--uploads'] })
    await check(`http://localhost:${server.port}`, home, expected)
    expect(await server.stop('SIGTERM')).toBe(0)
  }
  expect(confirmed).toBeGreaterThan(ROUNDS)
})

let keys = 0

/** Sends a random write. False if the server is gone. */
async function isWritten(root: string, expected: Expected, random: Random, round: number): Promise<boolean> {
  const rows = [...expected.rows.values()]
  const old = rows.length > 0 && random.below(2) === 0 ? rows[random.below(rows.length)] : undefined
  const key = old?.key ?? `${round}-${++keys}`
  const isGone = old !== undefined && random.below(3) === 0
  const path = old ? `/posts/${old.id}` : '/posts'
  expected.pending = key
  try {
    if (isGone) {
      const { status } = await fetch(`${root}${path}`, { method: 'DELETE' })
      expect(status).toBe(200)
      expected.rows.delete(key)
    } else {
      const method = old ? random.pick(['PUT', 'PATCH']) : 'POST'
      const response = await fetch(`${root}${path}`, { method, body: randomForm(key, random) })
      const row = (await response.json()) as Row
      expect(response.status).toBe(old ? 200 : 201)
      expected.rows.set(key, row)
    }
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
  expected.pending = undefined
  return true
}

/** Few contents, so that rows share files. */
function randomForm(key: string, random: Random): FormData {
  const form = new FormData()
  form.set('key', key)
  for (let count = 1 + random.below(3); count > 0; count--) {
    const content = `content ${random.below(12)} `.repeat(1 + 20_000 * random.below(2))
    form.append('files[]', new Blob([content]), 'f.txt')
  }
  return form
}

async function check(root: string, home: string, expected: Expected): Promise<void> {
  const rows = (await (await fetch(`${root}/posts`)).json()) as readonly Row[]
  const { pending } = expected
  const pathsOf = ({ files = [] }: Row) => files.map(({ url }) => new URL(url).pathname)
  for (const [key, row] of expected.rows) {
    const found = rows.find((other) => other.key === key)
    if (key !== pending) expect([key, found && pathsOf(found)]).toEqual([key, pathsOf(row)])
  }
  const known = new Set([...expected.rows.keys(), pending])
  expect(rows.filter(({ key }) => !known.has(key))).toEqual([])
  const hashes = new Set<string>()
  for (const path of new Set(rows.flatMap(pathsOf))) {
    const bytes = Buffer.from(await (await fetch(`${root}${path}`)).arrayBuffer())
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    expect(path.split('/')[2]).toBe(hash)
    hashes.add(hash)
  }
  const left = readdirSync(join(home, 'uploads'), { recursive: true, encoding: 'utf8' })
  const names = left.flatMap(
    (name) => /[0-9a-f]{32}$|(?<=restable\/).*\.(?:part|tmp|left)$/.exec(name)?.[0] ?? [],
  )
  expect(names.sort()).toEqual([...hashes].sort())
  expected.rows.clear()
  for (const row of rows) expected.rows.set(row.key, row)
  expected.pending = undefined
}
