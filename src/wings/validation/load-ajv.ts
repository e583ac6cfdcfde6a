import { createRequire } from 'node:module'
import type { Options } from 'ajv'
import type AjvCore from 'ajv/dist/core.js'
import type ajvFormats from 'ajv-formats'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { schemaPattern } from '../../core/kernel/patterns/schema-pattern.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'

/** Loaded synchronously, since `router()` is synchronous, and only where there is a schema. */
const require = createRequire(import.meta.url)

/** Which of ajv's classes reads which `$schema`. Others are unknown; none is the first. */
const DIALECTS: readonly (readonly [RegExp, () => { default: typeof AjvCore.default }])[] = [
  [/json-schema\.org\/draft\/2020-12\//, () => require('ajv/dist/2020')],
  [/json-schema\.org\/draft\/2019-09\//, () => require('ajv/dist/2019')],
  [/json-schema\.org\/draft-07\//, () => require('ajv')],
]

const OPTIONS: Options = {
  // A field may be called `constructor`, which every object inherits.
  ownProperties: true,
  verbose: true,
  // 19.99 is a multiple of 0.01, though 19.99 / 0.01 is 1998.9999999999998.
  multipleOfPrecision: 9,
  // `checkSchema` checks what is unknown, and leaves out what is a matter of taste.
  strict: false,
  logger: false,
  code: { regExp: Object.assign((pattern: string) => schemaPattern(pattern), { code: 'pattern' }) },
}

interface AjvOptions {
  readonly allErrors?: boolean
  /** Whether the schemas were checked before: ajv takes long to be ready for that. */
  readonly isChecked?: boolean
}

export function loadAjv(
  dialect: unknown,
  label: string,
  { allErrors = false, isChecked = false }: AjvOptions = {},
): AjvCore.default {
  const supported =
    dialect === undefined ? DIALECTS[0] : DIALECTS.find(([named]) => named.test(String(dialect)))
  if (!supported) {
    throw new ConfigError(
      `${label}: the dialect ${JSON.stringify(dialect)} is not known. Write "$schema": "https://json-schema.org/draft/2020-12/schema".`,
    )
  }
  const { default: Ajv } = supported[1]()
  const ajv = new Ajv({ ...OPTIONS, allErrors, validateSchema: !isChecked })
  const { default: addFormats }: { default: typeof ajvFormats.default } = require('ajv-formats')
  addFormats(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) ajv.formats[name] = bounded(name, format)
  for (const [name, [plain, letter]] of Object.entries(IN_ANY_SCRIPT)) {
    const test = ajv.formats[plain]
    if (typeof test === 'function')
      ajv.formats[name] = (text: string) => test(text.replace(BEYOND_ASCII, letter))
  }
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, list: readonly unknown[]) => !isAsked || !hasDuplicates(list),
    errors: false,
  })
  return ajv
}

/** Validators of schemas, by dialect: each takes as long to be ready as hundreds of schemas to be checked. */
const METAS = new Map<unknown, AjvCore.default>()

/** Checks schemas themselves. It must compile none: it would keep them. */
export function metaAjv(dialect: unknown, label: string): AjvCore.default {
  return getOrMake(METAS, dialect, () => loadAjv(dialect, label))
}

/** On longer strings some formats would take seconds. */
const LONGEST = 2000

/** Formats whose strings may be long. URLs may hold whole files: of those, the beginning must do. */
const LONG: Readonly<Record<string, (text: string) => boolean>> = {
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text),
  url: (text) => /^[a-z][a-z\d+.-]*:/i.test(text),
  'uri-reference': () => true,
}

/** Formats that ajv-formats lacks: as another, but a letter of any script may stand wherever this one may. */
const IN_ANY_SCRIPT: Readonly<Record<string, readonly [format: string, letter: string]>> = {
  'idn-email': ['email', 'x'],
  'idn-hostname': ['hostname', 'x'],
  iri: ['uri', '%41'],
  'iri-reference': ['uri-reference', '%41'],
}

const BEYOND_ASCII = /[^\p{ASCII}]/gu

type Formats = AjvCore.default['formats']

function bounded(name: string, format: Formats[string]): Formats[string] {
  const test =
    format instanceof RegExp
      ? (text: string) => format.test(text)
      : typeof format === 'function'
        ? format
        : undefined
  if (!test || name === 'byte') return format
  const testLong = LONG[name] ?? (() => false)
  return (text: string) => (text.length <= LONGEST ? test(text) : testLong(text))
}

/** Whether any entry occurs twice. In one pass: to compare each with each takes minutes for a long list. */
function hasDuplicates(list: readonly unknown[]): boolean {
  return new Set(list.map(canonical)).size < list.length
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
