import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readParts } from '../../../src/storage/formats/incoming.ts'
import { decodeText, parseData } from '../../../src/storage/formats/load.ts'
import { runs } from '../../support/length.ts'

/** What there is in the end, or why there is nothing. As text: the order of names and `__proto__` count, too. */
type Outcome = { readonly json: string } | { readonly fault: string }

function asAWhole(bytes: Uint8Array): Outcome {
  try {
    return { json: JSON.stringify(parseData(decodeText(bytes, 'db.json'), 'db.json')) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : '' }
  }
}

async function inChunks(bytes: Uint8Array, sizes: readonly number[]): Promise<Outcome> {
  const names = new Map<string, unknown>()
  let rows: unknown[] = []
  try {
    for await (const part of readParts(cut(bytes, sizes), 'db.json')) {
      if (part.kind === 'value') names.set(part.name, part.value)
      else if (part.kind === 'rows') rows.push(...part.rows)
      else {
        rows = []
        names.set(part.name, rows)
      }
    }
    return { json: JSON.stringify(Object.fromEntries(names)) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : '' }
  }
}

/** Chunks of these sizes, again and again. */
async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Texts, or bytes that are none. */
const CASES: readonly [what: string, text: string | Uint8Array][] = [
  ['nothing', ''],
  ['only space', ' \n\t'],
  ['a space that JSON does not know', '\u00a0'],
  ['a byte order mark', '\uFEFF{"a":[1]}'],
  ['a byte order mark and nothing else', '\uFEFF'],
  ['a byte order mark before a fault', '\uFEFF{"a":[1,]}'],
  ['no names', ' { } '],
  ['lists of all kinds', '{"a":[],"b":[ ],"c":[1,"x",null,{"id":1},[[]]],"d":{"e":[1,2]}}'],
  ['a collection that comes twice', '{"a":[1,2],"b":[3],"a":[4]}'],
  [
    'a collection that becomes an object, and one that becomes a number',
    '{"a":[1],"a":{"b":1},"c":{},"c":5}',
  ],
  ['a number that becomes a collection', '{"a":5,"a":[1]}'],
  ['names like places in a list', '{"b":[],"10":[],"2":[1],"a":{}}'],
  ['__proto__', '{"__proto__":[{"__proto__":{"id":1}}],"constructor":{}}'],
  ['numbers that overflow', '{"a":[1e400,{"b":[-1e999,1e308]}],"o":{"n":1e400}}'],
  ['lone surrogates, NUL and escapes', '{"a":["\\ud800","\\u0000","\\"\\\\","\\\\"],"\\u0061b":{}}'],
  ['long characters', '{"ä":["ö","€","😀"],"o":{"😀":"é"}}'],
  ['a schema', '{"$schema":"x","a":[]}'],
  ['a schema that is a list', '{"$schema":[1,2],"a":[]}'],
  ['a name with a slash', '{"a/b":[]}'],
  ['a name with a slash before a fault', '{"a/b":[1 2]}'],
  ['a list', '[1,2]'],
  ['an empty list', '[]'],
  ['a broken list', '[1,2'],
  ['a list with a gap', '[1,,2]'],
  ['a number', '5'],
  ['null', ' null '],
  ['a string', '"{}"'],
  ['a value that is none', '{"a":[],"b":true}'],
  ['what is nested as deep as may be', `{"a":${deep(999)},"b":{"c":${deep(998)}}}`],
  ['rows that are nested too deep', `{"a":[1,${deep(999)}]}`],
  ['an object that is nested too deep', `{"a":[],"b":{"c":${deep(999)}}}`],
  ['what was nested too deep before it came again', `{"a":${deep(1001)},"a":[]}`],
  ['a missing quote', '{"a":[{"b":"c},{"b":"d"}]}'],
  ['a line break in a string', '{"a":[{"b":"c\n"}]}'],
  ['a comma too many in a list', '{"a":[1,\n2,\n]}'],
  ['a comma too many at the start of a list', '{"a":[,1]}'],
  ['a comma too many in the end', '{"a":[1],\n}'],
  ['no comma between rows', '{"a":[{"b":1}\n  {"b":2}]}'],
  ['no comma after a list', '{"a":[]\n  "b":{}}'],
  ['no comma after an object', '{"a":{}\n  "b":{}}'],
  ['no colon', '{"a" []}'],
  ['a name without quotes', '{"a":[],\n b:[]}'],
  ['a number for a name', '{5:[]}'],
  ['brackets that do not match', '{"a":[{"b":1]}}'],
  ['a brace that closes a list', '{"a":[1}'],
  ['a bracket that closes the whole', '{"a":{}]'],
  ['something after the end', '{"a":[]}\n{}'],
  ['a comment', '{\n  // rows\n  "a":[]}'],
  ['JavaScript', 'module.exports = {}'],
  ['a web page', '<!doctype html>'],
  ['a merge conflict', '{"a":[\n<<<<<<< HEAD\n1]}'],
  ['an end that is missing', '{"a":[{"b":1},'],
  ['an end in a string', '{"a":[{"b":"😀'],
  ['an end after a name', '{"a"'],
  [
    'a fault after long characters on the same line',
    '{"ä😀":["ö€😀"],"o":{"😀":1},"x":[{"y":"😀"},{"z":tru}]}',
  ],
  ['a fault after long characters in the line of a row before', '{"a":[["x",\n"ü😀"], ["b" 1]]}'],
  ['a space that JSON does not know in a list', '{"a":[\u00a0]}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x5b, 0x5d, 0x7d])],
  ['a fault, and bytes that are not UTF-8 after it', Buffer.from('{"a":[,]}\xff', 'latin1')],
  ['half a character at the end', Buffer.from('{"a":["€"]}').subarray(0, 8)],
  ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x5b, 0x5d, 0x7d])],
]

describe('a database that comes in chunks is what it is as a whole, and so is what is wrong with it', () => {
  it.each(CASES)('%s', async (_, text) => {
    const bytes = Buffer.from(text)
    const whole = asAWhole(bytes)
    for (const sizes of [[1], [2], [3], [7], [bytes.length]]) {
      expect(await inChunks(bytes, sizes)).toEqual(whole)
    }
    for (let at = 1; at < Math.min(bytes.length, 100); at++) {
      expect(await inChunks(bytes, [at, bytes.length])).toEqual(whole)
    }
  })

  it('whatever is in it, and wherever it is broken', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', '"', '\\', ']'),
    )
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' })
    const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t\r\n')
    const list = fc
      .tuple(fc.array(fc.tuple(value, space), { maxLength: 6 }), space)
      .map(
        ([items, end]) => `[${items.map(([item, gap]) => gap + JSON.stringify(item) + gap).join(',')}${end}]`,
      )
    const part = fc.oneof(
      { weight: 4, arbitrary: list },
      { weight: 1, arbitrary: value.map((one) => JSON.stringify(one)) },
    )
    const name = fc.oneof(text, fc.constantFrom('a', 'b', '1', '__proto__', '$schema', '\u00e4'))
    const file = fc
      .array(fc.tuple(name, part, space), { maxLength: 5 })
      .map(
        (parts) =>
          `{${parts.map(([key, one, gap]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${one}`).join(`,`)}}`,
      )
    const harm = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom('', '"', '\\', ',', ':', '[', ']', '{', '}', '\n', 'x', '1', '\u00a0', '€'),
    })
    const property = fc.asyncProperty(
      ...[file, fc.option(harm), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })],
      async (json, harmed, sizes) => {
        const sound = Buffer.from(json)
        const at = harmed ? harmed.at % (sound.length + 1) : 0
        const bytes = harmed
          ? Buffer.concat([
              sound.subarray(0, at),
              Buffer.from(harmed.insert),
              sound.subarray(at + harmed.remove),
            ])
          : sound
        expect(await inChunks(bytes, sizes)).toEqual(asAWhole(bytes))
      },
    )
    await fc.assert(property, runs(100))
  })
})

describe('a piece that seems not to end', () => {
  it('is no piece if a quote is missing: nothing after that is kept', async () => {
    const row = Buffer.from(`{"id":1,"text":"${'x'.repeat(100_000)}"},`)
    async function* feed(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"a":[{"b":"c},')
      for (let fed = 0; fed < 500; fed++) yield row
    }
    const before = process.memoryUsage().heapUsed
    const read = async () => {
      for await (const part of readParts(feed(), 'db.json')) expect(part.kind).not.toBe('rows')
    }
    await expect(read()).rejects.toThrow('line 1, column 18.')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000)
  })

  it('is taken as it is if it is only large', async () => {
    const bytes = Buffer.from(`{"a":[{"b":[${`"${'y'.repeat(99_997)}",`.repeat(200)}1]},2]}`)
    const whole = asAWhole(bytes)
    expect(await inChunks(bytes, [64 * 1024])).toEqual(whole)
    expect('json' in whole).toBe(true)
  })
})
