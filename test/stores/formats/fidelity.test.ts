import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from '../../../src/core/kernel/json/values.ts'
import type { Codec } from '../../../src/stores/formats/codec.ts'
import { csv } from '../../../src/stores/formats/csv.ts'
import { jsonc } from '../../../src/stores/formats/jsonc.ts'
import { ndjson } from '../../../src/stores/formats/ndjson.ts'
import { yaml } from '../../../src/stores/formats/yaml.ts'
import { asLong } from '../../support/length.ts'

type Row = Record<string, unknown>

/** A file with these rows, and the text of each row in it. */
interface Written {
  readonly text: string
  readonly blocks: readonly string[]
  /** Comments that belong to no row. */
  readonly comments: readonly string[]
  readonly valueOf: (rows: readonly Row[]) => unknown
}

interface Sample {
  readonly codec: Codec
  readonly write: (rows: readonly Row[], styles: readonly number[]) => Written
  /** The row as it is read back. */
  readonly readBack?: (row: Row) => unknown
}

const inDatabase = (items: readonly Row[]) => ({ items, settings: { theme: 'dark' } })
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const line = (value: unknown) => JSON.stringify(value)

const SAMPLES: Readonly<Record<string, Sample>> = {
  'JSON with comments': {
    codec: jsonc,
    write(rows, styles) {
      const blocks = rows.map((row, at) => {
        const fields = Object.entries(row).map(([name, value]) => `${line(name)}:  ${line(value)}`)
        if ((styles[at] ?? 0) % 3 === 2) return `{${fields.join(`, // in ${row.id}\n`)}}`
        return (styles[at] ?? 0) % 2 === 0
          ? `{ ${fields.join(' , ')} } // row ${row.id}`
          : `{\n      ${fields.map((field) => `${field}, /* of ${row.id} */`).join('\n      ')}\n    }`
      })
      const items = blocks.map((block, at) => {
        const [row = '', comment] = block.split(/(?= \/\/ row)/)
        const comma = at < blocks.length - 1 || (styles[0] ?? 0) > 4 ? ',' : ''
        return `    // above ${rows[at]?.id}\n    ${row}${comma}${comment ?? ''}\n`
      })
      const text = `// top\n{\n  "items": [ // all of them\n${items.join('')}  ],\n  /* before */ "settings": {"theme":"dark"}, // last\n}\n// end\n`
      const comments = [
        '// top',
        '// all of them',
        ...rows.map(({ id }) => `// above ${id}\n`),
        '/* before */',
        '// last',
        '// end',
      ]
      return {
        text,
        blocks: blocks.map((block) => block.split(' // row')[0] ?? ''),
        comments,
        valueOf: inDatabase,
      }
    },
  },
  YAML: {
    codec: yaml,
    write(rows, styles) {
      const blocks = rows.map((row, at) => {
        const style = (styles[at] ?? 0) % 6
        if (style === 0) return `- ${line(row)} # row ${row.id}`
        const scalar = (value: unknown, comment: string) => {
          const isText = typeof value === 'string'
          if (isText && style === 1 && /^[\x20-\x7e]*$/.test(value)) return quoted(value) + comment
          const isBlock = isText && style === 3 && /^[!-~]([ -~\n]*[!-~])?$/.test(value)
          return isBlock ? `|-${comment}\n      ${value.replaceAll('\n', '\n      ')}` : line(value) + comment
        }
        const fields = Object.entries(row).map(([name, value]) => {
          const written = scalar(value, ` # ${name} - of ${row.id}`)
          return style === 4 ? `? ${name}\n    : ${written}` : `${name}:   ${written}`
        })
        return `- ${style === 5 ? `# first-aid - ${row.id}\n    ` : ''}${fields.join('\n    ')}`
      })
      const items = blocks.map((block, at) => `  # above ${rows[at]?.id}\n  ${block}\n`)
      const head = (styles[5] ?? 0) > 4 ? '--- # head\n' : ''
      const text = `${head}# top\nitems: # all of them\n${items.join('\n')}\n# before\nsettings: {theme: dark} # last\n# end\n`
      const comments = [
        '# top',
        '# all of them',
        ...rows.map(({ id }) => `# above ${id}\n`),
        '# before',
        '# last',
        '# end',
      ]
      return {
        text: rows.length === 0 ? text.replace('items:', 'items: []') : text,
        blocks,
        comments,
        valueOf: inDatabase,
      }
    },
  },
  CSV: {
    codec: csv,
    write(rows, styles) {
      const names = ['id', 'name', 'rank', 'address.city', 'on']
      const get = (row: Row, name: string) =>
        name.split('.').reduce<unknown>((value, part) => Object(value)[part], row)
      const cell = (value: unknown, style: number) => {
        if (value === undefined || value === null) return ''
        return typeof value === 'string' &&
          (style > 1 ||
            value === '' ||
            /[",\n\r]|^\s|\s$/.test(value) ||
            /^[-\d[{]|^(true|false)$/i.test(value))
          ? `"${value.replaceAll('"', '""')}"`
          : String(value)
      }
      const blocks = rows.map((row, at) =>
        names.map((name) => cell(get(row, name), styles[at] ?? 0)).join(','),
      )
      return {
        text: [names.join(','), ...blocks].map((each) => `${each}\r\n`).join(''),
        blocks,
        comments: [],
        valueOf: (all) => all,
      }
    },
  },
  NDJSON: {
    codec: ndjson,
    write(rows, styles) {
      const blocks = rows.map((row, at) =>
        (styles[at] ?? 0) > 3 ? ` ${line(row)}` : line(row).replace('{"id":', '{ "id" : '),
      )
      return {
        text: blocks.map((each) => `${each}\n`).join('\n'),
        blocks,
        comments: [],
        valueOf: (all) => all,
      }
    },
  },
}

const text = fc.oneof(
  fc.constantFrom(
    'a',
    'it’s',
    "o'clock",
    '# no',
    '- x',
    '7',
    'true',
    '',
    'a: b',
    '// no',
    'two\nlines',
    ' "q" ',
    'null',
    '---',
    '|',
    '007',
    '+1',
    '1e5',
    '9007199254740993',
    '=1+1',
    'TRUE',
    '2026-01-02',
    'a;b\tc',
  ),
  fc.string({ maxLength: 6 }),
)
const scalar = fc.oneof(text, fc.integer({ min: -9, max: 999 }), fc.boolean())
const anyRow = fc.record(
  { name: text, rank: fc.integer({ min: 0, max: 99 }), address: fc.record({ city: text }), on: fc.boolean() },
  { requiredKeys: [] },
)
const change = fc.oneof(
  fc.record({ kind: fc.constant('add'), at: fc.nat(9), row: anyRow }),
  fc.record({ kind: fc.constant('remove'), at: fc.nat(9) }),
  fc.record({
    kind: fc.constant('patch'),
    at: fc.nat(9),
    name: fc.constantFrom('name', 'extra'),
    value: text,
  }),
  fc.record({
    kind: fc.constant('patch'),
    at: fc.nat(9),
    name: fc.constantFrom('rank'),
    value: fc.integer({ min: 0, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('mix'),
    at: fc.nat(9),
    name: fc.constantFrom('name', 'rank', 'tags'),
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
  }),
  fc.record({ kind: fc.constant('drop'), at: fc.nat(9), name: fc.constantFrom('name', 'address') }),
)

it.each(Object.entries(SAMPLES))(
  '%s: after any changes, comments and untouched rows are where they were, and reading gives the same rows',
  (name, { codec, write }) => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 5 }),
        fc.array(fc.nat(8), { minLength: 6, maxLength: 6 }),
        fc.array(change, { maxLength: 6 }),
        (drawn, styles, changes) => {
          let rows: Row[] = drawn.map((row, at) => ({ id: at + 1, ...row }))
          const first = write(rows, styles)
          const isCsv = name === 'CSV'
          let text = first.text
          const same = (value: unknown) =>
            isSameJson(
              isCsv ? leaves(codec.read(text).value) : codec.read(text).value,
              isCsv ? leaves(value) : value,
            )
          expect(same(first.valueOf(rows)), text).toBe(true)
          expect(codec.write(first.valueOf(rows), text)).toBe(text)
          const touched = new Set<unknown>()
          let next = 100
          for (const each of changes) {
            // Cells hold either lists or something else.
            if (isCsv && each.kind === 'mix') continue
            const at = rows.length === 0 ? 0 : each.at % rows.length
            const row = rows[at]
            if (each.kind === 'add' && 'row' in each)
              rows = rows.toSpliced(each.at > 5 ? at : rows.length, 0, { id: next++, ...each.row })
            else if (row) {
              touched.add(row.id)
              if (each.kind === 'remove') rows = rows.toSpliced(at, 1)
              else if ('value' in each) rows = rows.with(at, { ...row, [each.name]: each.value })
              else if (each.kind === 'drop' && 'name' in each)
                rows = rows.with(
                  at,
                  Object.fromEntries(Object.entries(row).filter(([key]) => key !== each.name)),
                )
            }
            text = codec.write(first.valueOf(rows), text)
            expect(same(first.valueOf(rows)), text).toBe(true)
          }
          const blocks = first.blocks.filter((_, at) => !touched.has(at + 1))
          if (!isCsv) expectInOrder(text, blocks)
          expectInOrder(text, first.comments)
        },
      ),
      { numRuns: asLong(name === 'YAML' ? 25 : 50, 1000) },
    )
  },
)

function expectInOrder(text: string, parts: readonly string[]): void {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    expect(found, `${JSON.stringify(part)} in\n${text}`).toBeGreaterThanOrEqual(at)
    at = found + part.length
  }
}

/** Without nulls: a cell without a value is null, whether the row has the field or not. */
function leaves(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leaves)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, part]) => {
    const left = leaves(part)
    const isEmpty = left === null || (typeof left === 'object' && Object.keys(left).length === 0)
    return isEmpty ? [] : [[name, left]]
  })
  return Object.fromEntries(entries)
}
