import { styleText } from 'node:util'
import type { Settings, StartOptions } from '../index.ts'
import { configName, packageVersion, start } from '../internals.ts'
import { type Command, parseArgs } from './args.ts'
import { banner } from './banner.ts'
import { FLAGS } from './flags.ts'
import { gatherSettings } from './gather-settings.ts'
import {
  explain,
  print,
  printError,
  saveOnS,
  surviveLogic,
  surviveLostOutput,
  untilAskedToStop,
} from './terminal.ts'

export async function run(argv: readonly string[]): Promise<number> {
  surviveLostOutput()
  try {
    return await carryOut(parseArgs(argv))
  } catch (error) {
    printError(explain(error))
    return 1
  }
}

/** Runs a command. Modules of a server are loaded at the start, those of other commands when they run. */
async function carryOut(command: Command): Promise<number> {
  switch (command.kind) {
    case 'help':
      print(await (await import('./help.ts')).help(command.of))
      return 0
    case 'version':
      print(packageVersion())
      return 0
    case 'describe':
      await (await import('./describe.ts')).describeTo(command)
      return 0
    case 'grow':
      await (await import('./grow.ts')).growTo(command)
      return 0
    case 'transfer':
      if (command.way === 'import') return (await import('./import.ts')).importTo(command)
      return (await import('./transfer.ts')).transfer(command)
    case 'start':
      await serve(command.settings, command.config)
      return 0
  }
}

async function serve(flags: Settings, config: string | undefined): Promise<void> {
  const { settings: gathered, unused } = await gatherSettings(flags, config)
  let settings: StartOptions = gathered
  settings = await (await import('./import.ts')).withDescription(gathered)
  const { configFile, quiet = false } = settings
  if (configFile && unused.length > 0 && !quiet) print(choice(configFile.path, unused))
  surviveLogic()
  const server = await start({ ...settings, print, printError })
  // Before the banner: a program that waits for it may send a signal right away.
  const stop = untilAskedToStop()
  const stopReading = saveOnS(server)
  const canType = process.stdin.isTTY === true
  if (!server.config.quiet) print(banner(server, { version: packageVersion(), style, canType }))
  await stop
  stopReading()
  await server.close()
}

function choice(used: string, unused: readonly string[]): string {
  const others = unused.map(configName).join('; ')
  return `Using the settings in ${configName(used)}, not those in: ${others}. Keep one of them, or choose with --config FILE.`
}

function style(format: 'bold' | 'dim', text: string): string {
  const isColored = process.stdout.isTTY === true && !process.env.NO_COLOR
  return isColored ? styleText(format, text) : text
}

/** Defaults that json-server-auth's yargs fills in, which config files may override. */
const YARGS_DEFAULTS: Readonly<Record<string, unknown>> = {
  port: 3000,
  host: 'localhost',
  snapshots: '.',
  id: 'id',
  foreignKeySuffix: 'Id',
  config: 'json-server.json',
}

/** Starts the server with arguments that another program's yargs has parsed, as json-server allowed. */
export async function runParsed(argv: Readonly<Record<string, unknown>>): Promise<void> {
  process.exitCode = await run(wordsOf(argv))
  // As in bin.ts: open handles must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
}

function wordsOf(argv: Readonly<Record<string, unknown>>): string[] {
  const sources = Array.isArray(argv._) ? argv._.map(String) : []
  const flags = FLAGS.flatMap(({ name, isSwitch }) => {
    const value = argv[name]
    if (value === undefined || value === false || value === YARGS_DEFAULTS[name]) return []
    if (isSwitch) return [`--${name}`]
    return [value].flat().map((one) => `--${name}=${one}`)
  })
  return [...sources, ...flags]
}
