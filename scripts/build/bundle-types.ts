import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))
const EXPRESS_TYPES = fileURLToPath(new URL('express-types.d.ts', import.meta.url))

const ENTRIES = {
  index: 'index',
  run: 'cli/run',
  msw: 'doors/msw',
  playwright: 'doors/playwright',
  vite: 'doors/vite',
  vitest: 'doors/vitest',
}

/** Bundles the types that the compiler wrote into one file for each entry, with those of packages that are bundled. */
export async function bundleTypes(): Promise<void> {
  for (const [name, path] of Object.entries(ENTRIES)) {
    const types = await rolldown({
      input: { [name]: `${DIST}${path}.d.ts` },
      external: [/^node:/, '@playwright/test', 'msw', 'vite', 'vitest', 'vitest/node'],
      plugins: [
        ...(name === 'index' ? [optionalExpress] : [indexOutside]),
        dts({ dtsInput: true, sourcemap: false }),
      ],
    })
    await types.write({ dir: `${DIST}bundle` })
  }
  await addIgnores(`${DIST}bundle/index.d.ts`)
}

/** Express's types are an optional peer. */
const optionalExpress: Plugin = {
  name: 'optional express',
  resolveId: {
    order: 'pre',
    filter: { id: /^express$/ },
    handler: (id, importer) => (importer === EXPRESS_TYPES ? { id, external: true } : { id: EXPRESS_TYPES }),
  },
}

/** For compilers that check the types of libraries, too: the bundler moves or drops comments that are about the next line. */
async function addIgnores(file: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const added = text
    .replace(/^import .* from "express";$/m, '// @ts-ignore: an optional peer\n$&')
    .replaceAll(/\/\*\* @ts-ignore .*?\*\/(?=.)/g, '$&\n')
  await writeFile(file, added)
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
