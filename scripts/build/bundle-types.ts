import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

const ENTRIES = {
  index: 'index',
  run: 'cli/run',
  msw: 'entries/msw',
  playwright: 'entries/playwright',
  vite: 'entries/vite',
  vitest: 'entries/vitest',
}

/** Bundles the types that the compiler wrote into one file for each entry, with those of packages that are bundled. */
export async function bundleTypes(): Promise<void> {
  for (const [name, path] of Object.entries(ENTRIES)) {
    const types = await rolldown({
      input: { [name]: `${DIST}${path}.d.ts` },
      external: [/^node:/, 'express', '@playwright/test', 'msw', 'vite', 'vitest', 'vitest/node'],
      plugins: [...(name === 'index' ? [] : [indexOutside]), dts({ dtsInput: true, sourcemap: false })],
    })
    await types.write({ dir: `${DIST}bundle` })
  }
}

/** The other entries refer to the types of the library: they are the same. */
const indexOutside: Plugin = {
  name: 'index outside',
  resolveId: {
    order: 'pre',
    filter: { id: /^\.\.\/index\.(?:ts|js)$/ },
    handler: () => ({ id: './index.js', external: true }),
  },
}
