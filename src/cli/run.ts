import { styleText } from 'node:util'
import { type RunningServer, type Settings, start } from '../index.ts'
import { configName, packageVersion } from '../internals.ts'
import { parseArgs } from './args.ts'
import { banner } from './banner.ts'
import { describeTo } from './describe.ts'
import { FLAGS } from './flags.ts'
import { gatherSettings } from './gather-settings.ts'
import { growTo } from './grow.ts'
import { help } from './help.ts'
import { explain, print, printError, saveOnS, surviveLostOutput, untilAskedToStop } from './terminal.ts'
import { transfer } from './transfer.ts'

export async function run(argv: readonly string[]): Promise<number> {
  surviveLostOutput()
  try {
    const command = parseArgs(argv)
    if (command.kind === 'help') print(await help(command.of))
    else if (command.kind === 'version') print(packageVersion())
    else if (command.kind === 'describe') await describeTo(command, { print, printError })
    else if (command.kind === 'grow') await growTo(command, print)
    else if (command.kind === 'transfer') return await transfer(command, { print, printError })
    else await serve(command.settings, command.config)
    return 0
  } catch (error) {
    printError(explain(error))
    return 1
  }
}

async function serve(flags: Settings, config: string | undefined): Promise<void> {
  const { settings, configFile, unused } = await gatherSettings(flags, config)
  if (configFile && unused.length > 0 && !settings.quiet) print(choice(configFile.path, unused))
  const server = await start({ ...settings, ...(configFile && { configFile }), print, printError })
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

function greet(server: RunningServer): string {
  return banner(server, { version: packageVersion(), style, canType: process.stdin.isTTY === true })
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
