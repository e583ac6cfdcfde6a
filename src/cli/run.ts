import { styleText } from 'node:util'
import {
  ConfigError,
  configName,
  findConfigs,
  ListenError,
  mergeSettings,
  packageVersion,
  type RunningServer,
  readConfigFile,
  type Settings,
  StorageError,
  start,
} from '../index.ts'
import { parseArgs } from './args.ts'
import { banner } from './banner.ts'
import { help } from './help.ts'
import { print, printError, surviveLostOutput } from './output.ts'
import { saveOnS } from './save-on-s.ts'
import { untilAskedToStop } from './signals.ts'

const DEFAULT_PORT = 3000

/** Runs the command line to its end and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  surviveLostOutput()
  try {
    const command = parseArgs(argv)
    if (command.kind === 'help') print(help((text) => style('bold', text)))
    else if (command.kind === 'version') print(packageVersion())
    else await serve(command.settings, command.config)
    return 0
  } catch (error) {
    printError(describe(error))
    return 1
  }
}

async function serve(flags: Settings, asked: string | undefined): Promise<void> {
  const found = asked === undefined ? await findConfigs() : [asked]
  const [file, ...unused] = found
  const read = () => settingsFor(flags, file)
  const settings = await read()
  if (file !== undefined && unused.length > 0 && !settings.quiet) print(choice(file, unused))
  const configFile =
    file === undefined ? {} : { configFile: { path: file, read, decidedElsewhere: Object.keys(flags) } }
  const server = await start({ ...settings, ...configFile, print, printError })
  // Before the banner: a program that waits for it may send a signal right away.
  const stop = untilAskedToStop()
  const stopReading = saveOnS(server, { print: settings.quiet === true ? () => {} : print, printError })
  if (!server.config.quiet) print(greet(server))
  await stop
  stopReading()
  await server.close()
}

function choice(used: string, unused: readonly string[]): string {
  const others = unused.map(configName).join('; ')
  return `Using the settings in ${configName(used)}, not those in: ${others}. Keep one of them, or choose with --config FILE.`
}

/** Flags beat the config file, and the file beats `PORT`. */
async function settingsFor(flags: Settings, file: string | undefined): Promise<Settings> {
  const fromFile = file === undefined ? {} : await readConfigFile(file)
  const settings = mergeSettings({ ...fromEnvironment(process.env.PORT), ...fromFile }, flags)
  if (settings.source === undefined && settings.hosted === undefined) {
    throw new ConfigError(
      'There is nothing to serve. Name a source, such as: restable db.json (created if missing). See restable --help.',
    )
  }
  return settings
}

/** Hosting platforms assign the port this way. `HOST` is not read: some shells use it for something else. */
function fromEnvironment(port: string | undefined): Settings {
  if (port === undefined || port === '') return { port: DEFAULT_PORT }
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return { port: Number(port) }
  throw new ConfigError(
    `The environment variable PORT must be a whole number from 0 to 65535, not "${port}". Correct or unset it.`,
  )
}

function greet(server: RunningServer): string {
  return banner(server, { version: packageVersion(), style, canType: process.stdin.isTTY === true })
}

/** User errors are one line; anything else is our bug, and needs its stack. */
function describe(error: unknown): string {
  const isExpected =
    error instanceof ConfigError || error instanceof ListenError || error instanceof StorageError
  if (isExpected) return error.message
  if (isOfSystem(error)) return `The operating system refused: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Errors such as an unreadable file or a read-only folder: the message says which. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}

function style(format: 'bold' | 'dim', text: string): string {
  const isColored = process.stdout.isTTY === true && !process.env.NO_COLOR
  return isColored ? styleText(format, text) : text
}
