import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { serveHome } from '../../support/child/real-server.ts'
import { folderOf } from '../../support/folder.ts'

const diary = new URL('../../support/faults/diary.mjs', import.meta.url).href
const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

const WRITES = [
  ['POST', '/items', 201],
  ['PUT', '/items/1', 200],
  ['PATCH', '/items/1', 200],
  ['DELETE', '/items/1', 200],
] as const

/** A large file. */
const MUCH = [{ id: 1, text: 'x'.repeat(5_000_000) }]

it.each([
  ['its', []],
  ['its large', MUCH],
])('a write is answered after %s file, and then the folder, are on the disk', async (_name, filler) => {
  const home = folderOf({ 'db.json': { items: [], filler } })
  const server = await serveHome(home, { env: { NODE_OPTIONS: `--import=${diary}` } })
  for (const [method, path, status] of WRITES) {
    const from = server.process.stderr().length
    expect((await server.ask(method, path, { name: 'a' })).status).toBe(status)
    await server.process.printed(new RegExp(`answered ${status}[^]*$`))
    const steps =
      server.process
        .stderr()
        .slice(from)
        .match(/(?<=diary: ).*/g) ?? []
    const temp = steps[0]?.replace('synced ', '')
    expect(steps.map((step) => step.replaceAll(String(temp), 'TEMP'))).toEqual([
      'synced TEMP',
      'renamed TEMP db.json',
      `synced ${basename(home)}`,
      `answered ${status}`,
    ])
  }
})

// The same as the kernel sees it. Skipped without strace, or where it may not trace.
it.runIf(hasStrace).each([
  ['', []],
  [', also for a large file', MUCH],
])('and so it is by the kernel’s own account%s', async (_name, filler) => {
  const home = folderOf({ 'db.json': { items: [], filler } })
  const server = await serveHome(home)
  const trace = join(home, 'trace')
  const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2,write,writev'
  const pid = String(server.process.child.pid)
  const strace = spawn('strace', ['-f', '-y', '-s', '40', '-e', calls, '-o', trace, '-p', pid])
  await once(strace.stderr, 'data')
  expect((await server.ask('POST', '/items', { name: 'a' })).status).toBe(201)
  strace.kill('SIGINT')
  await once(strace, 'close')

  const done = completed(await readFile(trace, 'utf8'))
  const order = [
    /^fsync\(\d+<[^>]*db\.json[^>]*\.tmp>\) = 0/,
    /^rename.*db\.json"\) = 0/,
    /^fsync\(\d+<[^>]*>\) = 0/,
    /^writev?\(.*HTTP\/1\.1 201/,
  ]
  const places: number[] = []
  for (const pattern of order) {
    const last = places.at(-1) ?? -1
    places.push(done.findIndex((call, at) => at > last && pattern.test(call)))
  }
  expect(places, done.join('\n')).not.toContain(-1)
})

/** The calls in the order in which they returned; other threads may be interleaved. */
function completed(trace: string): readonly string[] {
  const begun = new Map<string, string>()
  const calls: string[] = []
  for (const line of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>'))
      begun.set(thread, rest.slice(0, -'<unfinished ...>'.length).trimEnd())
    else if (rest.startsWith('<... ')) {
      calls.push(`${begun.get(thread)}${rest.replace(/^<\.\.\. \w+ resumed>/, '')}`.replace(/\) += /, ') = '))
    } else calls.push(rest.replace(/\) += /, ') = '))
  }
  return calls
}
