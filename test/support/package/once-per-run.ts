import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

/** A folder, and what was found out when it was filled. */
interface Made<T> {
  readonly folder: string
  readonly result: T
}

/** Longer than any install takes. */
const PATIENCE = { timeout: 170_000, interval: 100 }

/** Fills a folder once for all test files of a run: the first to ask does it, the others wait. */
export async function oncePerRun<T>(name: string, fill: (folder: string) => Promise<T>): Promise<Made<T>> {
  // Each run has temporary files of its own.
  const folder = join(tmpdir(), `once ${name.replaceAll('/', '-')}`)
  const done = `${folder}.json`
  if (await isFirst(folder)) {
    const outcome = await fill(folder).then(
      (result) => ({ result }),
      (error: unknown) => ({ failure: String(error) }),
    )
    // Complete as soon as it is there.
    await writeFile(`${done}.new`, JSON.stringify(outcome))
    await rename(`${done}.new`, done)
  }
  const { result, failure } = JSON.parse(await vi.waitFor(() => readFile(done, 'utf8'), PATIENCE))
  if (failure !== undefined) throw new Error(failure)
  return { folder, result }
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
