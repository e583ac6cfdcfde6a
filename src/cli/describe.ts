import { readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type ApiDescription,
  ConfigError,
  describeApi,
  followApi,
  type Settings,
  type StartOptions,
} from '../index.ts'
import { isLayer } from '../internals.ts'
import type { Command, Description } from './args.ts'
import { gatherSettings } from './gather-settings.ts'
import { explain, isDatabase, print, printError, untilAskedToStop } from './terminal.ts'

/** `restable types` and `restable openapi`: prints a description, or writes it to a file; with `--watch`, after each change. */
export async function describeTo(command: Command & { kind: 'describe' }): Promise<void> {
  const { what, settings: flags, config, out } = command
  const { settings } = await gatherSettings(flags, config)
  if (!settings.quiet) for (const line of await unseenIn(settings)) printError(line)
  if (flags.watch && isDatabase(settings)) {
    throw new ConfigError(
      '--watch follows files, and the data is in a database. Leave it out, and run the command again after changes.',
    )
  }
  let described: StartOptions = settings
  described = await (await import('./import.ts')).withDescription(settings)
  if (out === undefined) {
    print(await textOf(what, await describeApi(described)))
    return
  }
  const schemas = Object.values(settings.resources ?? {}).map(({ schema }) => schema)
  await refuseInput(out, settings.source, settings.routes, settings.configFile?.path, ...schemas)
  const report = settings.quiet ? () => {} : print
  const write = async (api: ApiDescription) => {
    const isNew = await writeIfNew(out, `${await textOf(what, api)}\n`)
    report(isNew ? `Wrote ${out}` : `${out} is up to date`)
  }
  if (!flags.watch) return write(await describeApi(described))
  const stop = untilAskedToStop()
  // Watching files does not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30)
  try {
    const close = await followApi(settings, { hear: write, fail: (error) => printError(explain(error)) })
    await stop
    close()
  } finally {
    clearInterval(alive)
  }
}

/** A line for each part of the API that no description shows, since only running it would. */
async function unseenIn({ middlewares = [] }: Settings): Promise<readonly string[]> {
  const files = [middlewares].flat().filter((entry) => !isLayer(entry))
  const names = (await readdir('.').catch(() => [])).filter((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(name, 'utf8').catch(() => '')))
  const plugin = names.find((_, at) => texts[at]?.includes('restable/vite'))
  return [
    ...(files.length > 0 ? [`Not seen: what middleware files do (${files.join(', ')}).`] : []),
    ...(plugin === undefined
      ? []
      : [`Not seen: the settings in ${plugin}. For types of these, set types: 'src/api.d.ts' there.`]),
  ]
}

async function textOf(what: Description, api: ApiDescription): Promise<string> {
  if (what === 'types') return (await api.types()).trimEnd()
  return JSON.stringify(await api.openapi(), null, 2)
}

/** An unchanged file is not written, so that nothing that watches it rebuilds. */
async function writeIfNew(file: string, text: string): Promise<boolean> {
  const old = await readFile(file, 'utf8').catch(() => undefined)
  if (old === text) return false
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'its folder does not exist' : error.code
    throw new ConfigError(`--out: "${file}" cannot be written (${why}). Check the path.`, { cause: error })
  })
  return true
}

/** A typo must not destroy the data. */
async function refuseInput(out: string, ...inputs: readonly unknown[]): Promise<void> {
  const files = inputs.filter((input) => typeof input === 'string')
  const [target, ...others] = await Promise.all([out, ...files].map(realPath))
  if (target === undefined || !others.includes(target)) return
  throw new ConfigError(`--out: "${out}" is an input of the description. Name another file.`)
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
