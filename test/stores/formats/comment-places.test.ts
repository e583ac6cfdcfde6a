import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from '../../../src/core/kernel/json/values.ts'
import { jsonc } from '../../../src/stores/formats/jsonc.ts'
import { yaml } from '../../../src/stores/formats/yaml.ts'
import { asLong } from '../../support/length.ts'

type Row = Record<string, unknown>

/** What a comment goes with: a row, one of its fields, or neither. */
interface Owner {
  readonly row?: unknown
  readonly field?: string
}

/** Writes a text with comments wherever they may be, as drawn. */
class Draft {
  readonly comments: { readonly label: string; readonly owner: Owner }[] = []
  readonly #drawn: readonly number[]
  readonly #hasBlocks: boolean
  #next = 0

  constructor(drawn: readonly number[], hasBlocks: boolean) {
    this.#drawn = drawn
    this.#hasBlocks = hasBlocks
  }

  pick<T>(...choices: readonly [T, ...T[]]): T {
    const drawn = this.#drawn[this.#next++ % this.#drawn.length] ?? 0
    return choices[drawn % choices.length] ?? choices[0]
  }

  /** `b` and `l` become comments: `l` one that goes to the end of its line. */
  gap(owner: Owner, indent: string, ...choices: readonly [string, ...string[]]): string {
    return this.pick(...choices).replace(/[bl\n]/g, (sign) => {
      if (sign === '\n') return `\n${indent}`
      const label = `c${this.comments.length}.`
      this.comments.push({ label, owner })
      const text = `${label} , "x": # ] } // - y`
      if (sign === 'b') return this.#hasBlocks ? `/* ${text} */` : ''
      return this.#hasBlocks ? `// ${text}` : `# ${text}`
    })
  }

  brackets(value: unknown, owner: Owner, indent: string): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const inner = `${indent}   `
    const opening = this.gap(owner, inner, '', '', ' l\n')
    // To the parser of YAML, comments after the last item are that item's.
    let last = owner
    const entries = Object.entries(value).map(([name, part], at, all) => {
      const own = ownerIn(value, part, name, owner)
      if (!this.#hasBlocks) last = own
      const lead = this.gap(owner, inner, '', '\n', '\nl\n', '\nb l\n') + this.gap(own, inner, '', ' b ')
      const head = Array.isArray(value)
        ? ''
        : `${JSON.stringify(name)}:${this.gap(own, inner, ' ', ' ', ' b ')}`
      const text = lead + head + this.brackets(part, own, inner)
      const before = this.gap(own, inner, '', '', ' b', ' l\n', ' b b')
      const isLast = at === all.length - 1
      if (isLast && this.pick(true, false)) return text + before
      return `${text + before},${this.gap(own, inner, '', ' l\n', ' b l\n', isLast ? ' b' : ' b\n')}`
    })
    const [start, end] = Array.isArray(value) ? '[]' : '{}'
    return (
      start + opening + entries.join('') + this.gap(last, `${indent} `, '', '\n', '\nl\n', '\nb\n', ' ') + end
    )
  }

  /** In their order. */
  commentsIn(text: string) {
    const places = this.comments.map((comment) => ({ ...comment, at: text.indexOf(comment.label) }))
    return places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)
  }

  block(value: unknown, owner: Owner, indent: string): string {
    if (value === null && this.pick(true, false)) return this.gap(owner, indent, '', ' l', '\n l')
    const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    if (!isFilled || this.pick(false, false, true))
      return ` ${this.brackets(value, owner, indent)}${this.gap(owner, indent, '', ' l')}`
    const isList = Array.isArray(value)
    const inner = `${indent}  `
    const entries = Object.entries(value).map(([name, part]) => {
      const own = ownerIn(value, part, name, owner)
      const lead = this.gap(owner, inner, '\n', '\n', '\nl\n', '\n\nl\nl\n')
      return `${lead}${isList ? '-' : `${name}:`}${this.block(part, own, inner)}${this.gap(own, inner, '', '', '\n l')}`
    })
    return this.gap(owner, inner, '', '', ' l') + entries.join('') + this.gap(owner, inner, '', '', '\nl')
  }
}

/** Items of lists are removed when their value changes, so that nothing is said of their comments. */
function ownerIn(container: unknown, part: unknown, name: string, owner: Owner): Owner {
  if (Array.isArray(container)) return owner.row === undefined ? { row: Object(part).id } : owner
  return owner.row === undefined || owner.field !== undefined ? owner : { ...owner, field: name }
}

const value = fc.oneof(
  fc.constantFrom('x', 'it’s', '# no', '// no', '/* no */', '', 'a: b', '- x', 'two\nlines'),
  fc.integer({ min: 0, max: 99 }),
  fc.constant(null),
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  fc.record({ x: fc.nat(9), y: fc.constantFrom('p', null) }),
)
const anyRow = fc.record({ a: value, b: value, c: value }, { requiredKeys: ['a'] })
const change = fc.record({
  kind: fc.constantFrom('patch', 'patch', 'put', 'drop', 'remove', 'add'),
  at: fc.nat(9),
  name: fc.constantFrom('a', 'a', 'b', 'c', 'extra'),
  value,
})

it.each([
  ['JSON with comments', jsonc, true, asLong(40, 3000)],
  ['YAML', yaml, false, asLong(20, 1500)],
])('%s: comments stay in their places, wherever they are', (_, codec, hasBlocks, numRuns) => {
  const drawn = fc.array(fc.nat(59), { minLength: 40, maxLength: 80 })
  fc.assert(
    fc.property(
      fc.array(anyRow, { maxLength: 4 }),
      drawn,
      fc.array(change, { maxLength: 4 }),
      (first, numbers, changes) => {
        const draft = new Draft(numbers, hasBlocks)
        let rows: Row[] = first.map((row, at) =>
          draft.pick(true, false) ? { id: at + 1, ...row } : { ...row, id: at + 1 },
        )
        const whole = draft.pick(
          (list: readonly Row[]): unknown => list,
          (list) => ({ items: list, one: 1 }),
        )
        const start = hasBlocks
          ? draft.gap({}, '', '', 'l\n', 'b ') + draft.brackets(whole(rows), {}, '')
          : draft.block(whole(rows), {}, '').replace(/^\n/, '')
        let text = `${start}\n`.replace(/\n/g, () => draft.pick('\n', '\n', '\r\n'))
        const read = () => codec.read(text).value
        expect(attempt(read), text).toEqual(whole(rows))
        const gone: Owner[] = []
        for (const [next, { kind, at: index, name, value }] of changes.entries()) {
          const at = index % (rows.length || 1)
          const row = rows[at]
          if (kind === 'add') rows = rows.toSpliced(index, 0, { id: 100 + next, a: value })
          else if (row && kind === 'remove') rows = rows.toSpliced(at, 1)
          else if (row && kind === 'put') rows = rows.with(at, { a: value, b: row.b ?? null, id: row.id })
          else if (row && kind === 'drop')
            rows = rows.with(at, Object.fromEntries(Object.entries(row).filter(([key]) => key !== name)))
          else if (row) rows = rows.with(at, { ...row, [name]: value })
          if (row && kind === 'remove') gone.push({ row: row.id })
          else if (row && kind === 'put')
            gone.push(...['a', 'b', 'c', 'extra'].map((field) => ({ row: row.id, field })))
          else if (row && kind !== 'add') gone.push({ row: row.id, field: name })
          const before = text
          text = codec.write(whole(rows), text)
          expect(
            isSameJson(read(), whole(rows)),
            `${before}\n=> ${JSON.stringify(whole(rows))}\n${text}`,
          ).toBe(true)
        }
        let place = 0
        for (const { label, owner } of draft.commentsIn(start)) {
          if (gone.some(({ row, field = owner.field }) => row === owner.row && field === owner.field))
            continue
          const found = text.indexOf(label, place)
          expect(found, `${label} of\n${start}\nin\n${text}`).toBeGreaterThanOrEqual(place)
          place = found
        }
      },
    ),
    { numRuns },
  )
})

function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}
