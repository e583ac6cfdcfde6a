/**
 * What a filter means, in the plainest words: written from the table in the contract, with nothing of the program.
 * Slow and obvious. Rows and parameters are plain JSON.
 */
export type Parameters = Readonly<Record<string, readonly string[]>>

const OPERATORS = 'eq|ne|gte|lte|like|gt|lt|in|nin|contains|startsWith|endsWith|null|between'

/** The rows that pass all parameters and all `_where`s. */
export function filterByModel<Row>(rows: readonly Row[], parameters: Parameters, where: unknown = {}): Row[] {
  const isKnown = (path: string) => rows.some((row) => hasPath(row, path))
  const asked = new Map<string, { path: string; op: string; values: readonly string[] }>()
  for (const [name, values] of Object.entries(parameters)) {
    const [path, op] = meaningOf(name, isKnown) ?? []
    if (path === undefined || op === undefined) continue
    const readable = values.filter((value) => isReadable(op, value))
    if (readable.length === 0 && values.length > 0) continue
    // Two spellings of one operator are repeats of it.
    const before = asked.get(`${op} ${path}`)?.values ?? []
    asked.set(`${op} ${path}`, { path, op, values: [...before, ...readable] })
  }
  return rows.filter(
    (row) =>
      [...asked.values()].every(({ path, op, values }) => passes(row, path, op, values)) &&
      passesWhere(row, where, ''),
  )
}

/** The field and the operator of a parameter; undefined if it is ignored. */
function meaningOf(name: string, isKnown: (path: string) => boolean): [string, string] | undefined {
  const old = /^(.*)_(gte|lte|ne|like)$/s.exec(name)
  if (old) return [old[1] ?? '', old[2] ?? '']
  if (isKnown(name)) return [name, 'eq']
  const [, path = '', op = ''] = new RegExp(`^(.*)[_:](${OPERATORS})$`, 's').exec(name) ?? []
  const isOld = ['gte', 'lte', 'ne', 'like'].includes(op)
  return op !== '' && (isOld || isKnown(path)) ? [path, op] : undefined
}

/** No quotes here: they are the business of the test of CSV. */
function isReadable(op: string, value: string): boolean {
  if (op === 'null') return value === 'true' || value === 'false'
  return (
    op !== 'between' || (value.split(',').length === 2 && value.split(',').every((end) => end.trim() !== ''))
  )
}

function passesWhere(row: unknown, where: unknown, prefix: string): boolean {
  return Object.entries(Object(where)).every(([key, value]) => {
    if (key === 'and') return toList(value).every((part) => passesWhere(row, part, prefix))
    if (key === 'or') return toList(value).some((part) => passesWhere(row, part, prefix))
    if (key === 'not') return !passesWhere(row, value, prefix)
    const path = prefix + key
    if (value === null) return passes(row, path, 'null', ['true'])
    if (Array.isArray(value))
      return valuesAt(row, path).some((own) => entriesOf(own).some((one) => isOneOf(one, value)))
    if (typeof value !== 'object') return passes(row, path, 'eq', [String(value)])
    const operators = Object.entries(value)
    if (!operators.every(([op]) => OPERATORS.split('|').includes(op)) || operators.length === 0)
      return passesWhere(row, value, `${path}.`)
    return operators.every(([op, own]) => {
      if (op === 'eq' && own === null) return passes(row, path, 'null', ['true'])
      if (op === 'ne' && own === null) return passes(row, path, 'null', ['false'])
      return passes(row, path, op, Array.isArray(own) ? [own.join(',')] : [String(own)])
    })
  })
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** One line for each line of the table. */
function passes(row: unknown, path: string, op: string, values: readonly string[]): boolean {
  const found = valuesAt(row, path)
  const some = (test: (own: unknown, value: string) => boolean) =>
    found.some((own) => values.some((value) => test(own, value)))
  const someEntry = (test: (own: unknown, value: string) => boolean) =>
    found.some((own) => entriesOf(own).some((entry) => values.some((value) => test(entry, value))))
  const listed = values.flatMap((value) =>
    value.trim() === '' ? [] : value.split(',').map((one) => one.trim()),
  )
  switch (op) {
    case 'eq':
      return some((own, value) => String(own) === value)
    case 'ne':
      return found.length > 0 && !some((own, value) => String(own) === value)
    case 'gte':
      return some((own, value) => order(own, value, (one, other) => one >= other))
    case 'lte':
      return some((own, value) => order(own, value, (one, other) => one <= other))
    case 'like':
      return some((own, value) => new RegExp(value, 'i').test(String(own)))
    case 'gt':
      return someEntry((own, value) => order(own, value, (one, other) => one > other))
    case 'lt':
      return someEntry((own, value) => order(own, value, (one, other) => one < other))
    case 'in':
      return found.some((own) => entriesOf(own).some((one) => isOneOf(one, listed)))
    case 'nin':
      return found.length > 0 && !found.some((own) => entriesOf(own).some((one) => isOneOf(one, listed)))
    case 'contains':
      return found.some((own) =>
        values.some((value) =>
          isPlainList(own)
            ? entriesOf(own).some((entry) => fold(entry) === fold(value))
            : fold(own).includes(fold(value)),
        ),
      )
    case 'startsWith':
      return someEntry((own, value) => fold(own).startsWith(fold(value)))
    case 'endsWith':
      return someEntry((own, value) => fold(own).endsWith(fold(value)))
    case 'null':
      return (values.at(-1) === 'true') === (found.length === 0)
    case 'between':
      return someEntry((own, value) => {
        const [low = '', high = ''] = value.split(',').map((end) => end.trim())
        return order(own, low, (one, other) => one >= other) && order(own, high, (one, other) => one <= other)
      })
    default:
      throw new Error(`no operator ${op}`)
  }
}

/** As JavaScript compares a value with a text. */
function order(
  own: unknown,
  text: string,
  compare: (one: string | number, other: string | number) => boolean,
): boolean {
  if (typeof own === 'number' || typeof own === 'boolean') return compare(Number(own), Number(text))
  return compare(String(own), text)
}

function isOneOf(own: unknown, listed: readonly unknown[]): boolean {
  return listed.some((one) => String(one) === String(own))
}

/** Case does not count; the sigma at the end of a word is a sigma. */
function fold(value: unknown): string {
  return String(value).toLowerCase().replaceAll('ς', 'σ')
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null)
}

function entriesOf(value: unknown): readonly unknown[] {
  return isPlainList(value) ? value.filter((entry) => entry !== null) : [value]
}

/** What is at a path and not null, through lists. A field may have the whole path as its name. */
function valuesAt(row: unknown, path: string): readonly unknown[] {
  if (isObject(row) && row[path] !== undefined && Object.hasOwn(row, path)) return [row[path]].filter(isThere)
  return path.includes('.') ? walk(row, path.split('.')).filter(isThere) : []
}

function walk(value: unknown, [step, ...more]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value]
  if (isObject(value) && Object.hasOwn(value, step)) return walk(value[step], more)
  return Array.isArray(value) ? value.flatMap((item) => walk(item, [step, ...more])) : []
}

function hasPath(row: unknown, path: string): boolean {
  if (isObject(row) && Object.hasOwn(row, path)) return true
  return path.includes('.') && walk(row, path.split('.')).length > 0
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
