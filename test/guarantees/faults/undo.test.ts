import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type RealServer, serveHome } from '../../support/child/real-server.ts'
import { Random } from '../../support/faults/random.ts'
import { folderOf } from '../../support/folder.ts'
import { asLong } from '../../support/length.ts'

const ROUNDS = asLong(4, 40)
/** Enough that a save takes a while, so that kills hit it halfway. */
const filler = Array.from({ length: 3000 }, (_, n) => ({ id: n + 1, text: `row ${n} `.repeat(20) }))

it(`leaves a whole file, ${ROUNDS} times killed with -9 while it undoes and redoes`, {
  timeout: ROUNDS * 15_000,
}, async () => {
  const home = folderOf({ 'db.json': { items: [{ id: 1 }], filler } })
  const read = () => readFile(join(home, 'db.json'), 'utf8')
  const random = new Random(17)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const server = await serveHome(home)
    const first = await versionOf(server)
    await server.ask('POST', '/items', [{}, {}])
    await server.ask('PATCH', '/filler/7', { text: `round ${round}` })
    await server.ask('DELETE', '/filler/9')
    const last = await versionOf(server)
    const after = await read()
    await server.ask('POST', '/__undo', { to: first })
    const before = await read()
    expect(before).not.toBe(after)

    // Which of the two the file holds since the last confirmed step: a step that was not confirmed may have happened.
    let confirmed = before
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const rewinding = rewind(server, { first, last }, (isBack) => {
      confirmed = isBack ? before : after
      begin()
    })
    await begun
    await sleep(random.below(200))
    expect(await server.stop('SIGKILL')).toBeNull()
    expect(await rewinding).toBeGreaterThan(0)
    const left = await read()
    expect(left === before || left === after).toBe(true)
    if (left !== confirmed) expect(left).toBe(confirmed === before ? after : before)
  }
})

async function versionOf(server: RealServer): Promise<number> {
  return JSON.parse((await server.ask('GET', '/__changes')).body).version
}

/** Goes back and forth until the server is gone. Resolves with how often that was confirmed. */
async function rewind(
  server: RealServer,
  { first, last }: { readonly first: number; readonly last: number },
  onStep: (isBack: boolean) => void,
): Promise<number> {
  for (let steps = 0; ; steps += 1) {
    const isBack = steps % 2 === 1
    const asked = server.ask('POST', isBack ? '/__undo' : '/__redo', { to: isBack ? first : last })
    const answer = await asked.catch(() => undefined)
    if (!answer) return steps
    expect(answer.status).toBe(200)
    onStep(isBack)
  }
}
