import type { ConfigFile, Settings } from '../index.ts'
import { ConfigError, examplesOf, findConfigs, mergeSettings, readConfigFile } from '../internals.ts'

interface Gathered {
  /** With the file that they come from. */
  readonly settings: Settings & { readonly configFile?: ConfigFile }
  readonly unused: readonly string[]
}

export async function gatherSettings(flags: Settings, config: string | undefined): Promise<Gathered> {
  const [file, ...unused] = config === undefined ? await findConfigs() : [config]
  const read = () => settingsFor(flags, file)
  const settings = await read()
  if (file === undefined) return { settings, unused }
  const configFile = { path: file, read, decidedElsewhere: Object.keys(flags) }
  return { settings: { ...settings, configFile }, unused }
}

/** Flags beat the config file, and the file beats `PORT`. */
async function settingsFor(flags: Settings, file: string | undefined): Promise<Settings> {
  const fromFile = file === undefined ? {} : await readConfigFile(file)
  const settings = mergeSettings({ ...fromEnvironment(process.env.PORT), ...fromFile }, flags)
  if (settings.source === undefined && examplesOf(settings) === undefined) {
    throw new ConfigError(
      'There is nothing to serve. Name a source, such as: restable db.json (created if missing). See restable --help.',
    )
  }
  return settings
}

/** Hosting platforms assign the port this way. `HOST` is not read: some shells use it for something else. */
function fromEnvironment(port: string | undefined): Settings {
  if (port === undefined || port === '') return { port: 3000 }
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return { port: Number(port) }
  throw new ConfigError(
    `The environment variable PORT must be a whole number from 0 to 65535, not "${port}". Correct or unset it.`,
  )
}
