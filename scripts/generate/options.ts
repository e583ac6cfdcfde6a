import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import yargs from 'yargs'
import { type Request, strictly } from '../command-line.ts'
import { type DatasetOptions, locales } from './dataset.ts'

export interface GenerateOptions extends DatasetOptions {
  /** The data file to overwrite. */
  readonly out: string
}

const ROWS_MAX = 100_000_000
const SEEDS = 2 ** 32

const FLAGS = {
  companies: { describe: 'How many companies', default: '100' },
  products: { describe: 'How many products', default: '100' },
  seed: { describe: 'The same seed gives the same file; random when left out' },
  locale: { describe: 'Language of names and places: it, de, pt_BR, …', default: 'en' },
  out: { describe: 'The file to overwrite', default: 'data/db.json' },
}

/** Parses the command line of the generator; throws a one-line Error for invalid input. */
export async function parseOptions(argv: readonly string[]): Promise<Request<'generate', GenerateOptions>> {
  const flags = yargs([...argv])
    .scriptName('npm run generate --')
    .usage('$0 [options]\n\nOverwrites the data file with random but coherent companies and products.')
    .example('$0 --seed 2026', 'the same data on every machine')
    .example('$0 --companies 1000 --products 50000 --locale it', 'a larger file, in Italian')
    // Every value is read as a string, so that an invalid number is reported and not silently NaN or 0.
    .options(
      Object.fromEntries(Object.entries(FLAGS).map(([name, flag]) => [name, { ...flag, string: true }])),
    )
    .parserConfiguration({ 'duplicate-arguments-array': false, 'boolean-negation': false })
  const parser = strictly(flags, possible())
  const args = await parser.parseAsync()
  if (args.help === true) return { kind: 'help', text: await parser.getHelp() }
  const text = (name: keyof typeof FLAGS): string => String(args[name] ?? '')

  const companies = wholeNumber('companies', text('companies'), ROWS_MAX)
  const products = wholeNumber('products', text('products'), ROWS_MAX)
  if (companies === 0 && products > 0) {
    throw new Error('--companies 0 leaves products without a company. Possible: 1 or more')
  }
  return {
    kind: 'generate',
    options: {
      companies,
      products,
      seed: args.seed === undefined ? randomInt(SEEDS) : wholeNumber('seed', text('seed'), SEEDS - 1),
      locale: knownLocale(text('locale')),
      out: fileName(text('out')),
    },
  }
}

function possible(): string {
  return [...Object.keys(FLAGS), 'help'].map((name) => `--${name}`).join(' ')
}

function wholeNumber(flag: string, text: string, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new Error(`--${flag} ${text || '(nothing)'} is not valid. Possible: a whole number from 0 to ${max}`)
}

function knownLocale(text: string): string {
  const code = text.replaceAll('-', '_')
  if (locales.includes(code)) return code
  throw new Error(`--locale ${text || '(nothing)'} is not known. Possible: ${locales.join(' ')}`)
}

function fileName(text: string): string {
  if (text === '') throw new Error('--out needs a file. Possible: --out data/db.json')
  if (existsSync(dirname(resolve(text)))) return text
  throw new Error(`--out ${text}: there is no such folder. Possible: a file in a folder that exists`)
}
