import fc from 'fast-check'
import { expect, it } from 'vitest'
import { silenceConsole } from '../support/console.ts'
import { asCurl } from '../support/http/exchange.ts'
import { runs } from '../support/length.ts'
import { compareState, compareStep, newMemory } from '../support/oracle/contract.ts'
import { type Mode, startPair } from '../support/oracle/servers.ts'
import { type Play, plays } from './arbitraries.ts'

silenceConsole('error')

it.each<Mode>(['memory', 'file'])(
  'answers random requests on random data as json-server does, from %s',
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(plays, (play) => sameAnswers(play, mode)),
      runs(12, 2000),
    )
    expect.hasAssertions()
  },
)

async function sameAnswers(play: Play, mode: Mode): Promise<void> {
  const pair = await startPair(play.data, mode)
  const memory = newMemory()
  try {
    for (const step of play.steps) await compareStep(pair, step, memory)
    await compareState(pair, {}, memory)
  } catch (error) {
    const curls = play.steps.map((step) => asCurl(3000, step)).join('\n')
    const story = `With this data: ${JSON.stringify(play.data)}\nafter these requests:\n${curls}`
    throw new Error(`${String(error)}\n${story}`, { cause: error })
  } finally {
    await pair.close()
  }
}
