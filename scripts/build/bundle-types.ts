import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

const ENTRIES = { index: 'index', run: 'cli/run' }

/** Bundles the types that the compiler wrote into one file for each entry, with those of packages that are bundled. */
export async function bundleTypes(): Promise<void> {
  for (const [name, path] of Object.entries(ENTRIES)) {
    const types = await rolldown({
      input: { [name]: `${DIST}${path}.d.ts` },
      external: [/^node:/, 'express'],
      plugins: [dts({ dtsInput: true, sourcemap: false, resolve: ['zod'] })],
    })
    await types.write({ dir: `${DIST}bundle` })
  }
}
