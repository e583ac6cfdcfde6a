import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { run } from '../../scripts/generate/run.ts'
import { aboutSampleData } from '../../src/cli/sample-data.ts'
import { resolveConfig } from '../../src/features/settings.ts'

it('the command that the banner names makes the sample data as git has it, byte for byte', async () => {
  const line = aboutSampleData(resolveConfig({ source: 'data/db.json' }))
  const [, flags = ''] = /; npm run generate -- (.+) makes it as it was/.exec(line ?? '') ?? []
  const out = join(await mkdtemp(join(tmpdir(), 'restable-')), 'db.json')
  const silent = { write: () => true }
  expect(await run([...flags.split(' '), '--out', out], { out: silent, err: silent })).toBe(0)
  // The file itself may be what someone's server saved.
  const { stdout } = await promisify(execFile)('git', ['show', 'HEAD:data/db.json'], { encoding: 'buffer' })
  expect((await readFile(out)).equals(stdout)).toBe(true)
})
