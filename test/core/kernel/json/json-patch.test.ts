import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../../../../src/core/kernel/catalogue/error-classes.ts'
import {
  applyJsonPatch,
  type PatchOperation,
  readOperations,
} from '../../../../src/core/kernel/json/patches.ts'
import { runs } from '../../../support/length.ts'

interface Case {
  readonly comment?: string
  readonly doc: unknown
  readonly patch: readonly unknown[]
  readonly expected?: unknown
  readonly error?: string
  readonly disabled?: boolean
}

const load = createRequire(import.meta.url)
const published: readonly Case[] = [
  ...load('json-patch-test-suite/tests.json'),
  ...load('json-patch-test-suite/spec_tests.json'),
]

describe('the published cases for RFC 6902', () => {
  const cases = published.filter(({ patch, disabled }) => patch && !disabled)

  it('are all there', () => {
    expect(cases.length).toBeGreaterThan(85)
  })

  it.each(cases.map((one) => [one.comment ?? one.error ?? JSON.stringify(one.patch), one] as const))(
    '%s',
    async (_name, { doc, patch, expected, error }) => {
      const before = structuredClone({ doc, patch })
      if (error !== undefined) await expect(patched(doc, patch)).rejects.toThrow()
      else if (expected !== undefined) expect(await patched(doc, patch)).toEqual(expected)
      else await patched(doc, patch)
      expect({ doc, patch }).toEqual(before)
    },
  )
})

describe('a patch that cannot be done says which operation failed, and why', () => {
  const row = { id: 7, name: 'Desk', tags: ['a', 'b'], size: { w: 1 }, nothing: null }

  it.each([
    ['a missing field', [{ op: 'remove', path: '/none' }], 'INVALID_PATCH', /^Operation 1 \(remove \/none\)/],
    [
      'a missing field to replace',
      [{ op: 'replace', path: '/none', value: 1 }],
      'INVALID_PATCH',
      /no such path/,
    ],
    ['a missing parent', [{ op: 'add', path: '/none/deep', value: 1 }], 'INVALID_PATCH', /no such path/],
    ['a field of a string', [{ op: 'add', path: '/name/length', value: 1 }], 'INVALID_PATCH', /no such path/],
    ['a field of null', [{ op: 'add', path: '/nothing/x', value: 1 }], 'INVALID_PATCH', /no such path/],
    ['a place past the end', [{ op: 'add', path: '/tags/3', value: 'd' }], 'INVALID_PATCH', /no such path/],
    ['the end, to be removed', [{ op: 'remove', path: '/tags/-' }], 'INVALID_PATCH', /no such path/],
    [
      'the length, to be replaced',
      [{ op: 'replace', path: '/tags/2', value: 1 }],
      'INVALID_PATCH',
      /no such path/,
    ],
    ['a place with a leading zero', [{ op: 'remove', path: '/tags/01' }], 'INVALID_PATCH', /no such path/],
    [
      'the length of a list',
      [{ op: 'replace', path: '/tags/length', value: 0 }],
      'INVALID_PATCH',
      /no such path/,
    ],
    [
      'an inherited name',
      [{ op: 'copy', from: '/constructor', path: '/x' }],
      'INVALID_PATCH',
      /no such path/,
    ],
    [
      'an inherited path',
      [{ op: 'add', path: '/constructor/prototype/x', value: 1 }],
      'INVALID_PATCH',
      /no such path/,
    ],
    ['a prototype', [{ op: 'add', path: '/__proto__/polluted', value: 1 }], 'INVALID_PATCH', /no such path/],
    [
      'a missing source',
      [{ op: 'move', from: '/none', path: '/name' }],
      'INVALID_PATCH',
      /move \/none to \/name/,
    ],
    [
      'a move into itself',
      [{ op: 'move', from: '/size', path: '/size/w/x' }],
      'INVALID_PATCH',
      /into itself/,
    ],
    ['a failed test', [{ op: 'test', path: '/name', value: 'Lamp' }], 'PATCH_TEST_FAILED', /another one/],
    [
      'a test of nothing',
      [{ op: 'test', path: '/none', value: null }],
      'PATCH_TEST_FAILED',
      /nothing at this path/,
    ],
    [
      'the second operation',
      [
        { op: 'add', path: '/x', value: 1 },
        { op: 'test', path: '/x', value: '1' },
      ],
      'PATCH_TEST_FAILED',
      /^Operation 2 \(test \/x\)/,
    ],
    [
      'a long path, in brief',
      [{ op: 'remove', path: `/${'x'.repeat(5000)}` }],
      'INVALID_PATCH',
      /^.{1,250}$/,
    ],
  ] as const)('%s', async (_what, patch, code, message) => {
    const failure = await failureOf(patched(row, patch))
    expect(failure).toMatchObject({ code })
    expect(failure.message).toMatch(message)
    expect(row).toEqual({ id: 7, name: 'Desk', tags: ['a', 'b'], size: { w: 1 }, nothing: null })
  })
})

describe('what is patched', () => {
  it('shares nothing between a value and its copy: rows of a live object are changed in place', async () => {
    const result = (await patched({ a: { b: [1] } }, [{ op: 'copy', from: '/a', path: '/c' }])) as Record<
      'a' | 'c',
      { b: number[] }
    >
    result.c.b.push(2)
    expect(result.a).toEqual({ b: [1] })
  })

  it('keeps a field called __proto__ as the data it is', async () => {
    const patch = [
      { op: 'add', path: '/__proto__', value: { polluted: 1 } },
      { op: 'add', path: '/__proto__/more', value: 2 },
      { op: 'copy', from: '/__proto__', path: '/constructor' },
    ]
    const result = await patched({}, patch)
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":{"polluted":1,"more":2},"constructor":{"polluted":1,"more":2}}',
    )
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  it('is what a plain model makes of it, one operation after the other on a copy', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.array(operations, { maxLength: 6 }), async (document, patch) => {
        const before = JSON.stringify({ document, patch })
        expect(await outcome(() => patched(document, patch))).toEqual(
          await outcome(() => patch.reduce<unknown>(model, structuredClone(document))),
        )
        expect(JSON.stringify({ document, patch })).toBe(before)
      }),
      runs(600),
    )
  })
})

describe('a patch document', () => {
  it.each([
    ['no object', [1], /Operation 1 .*must be an object/],
    ['a list', [[]], /must be an object/],
    ['no op', [{ path: '/a' }], /must have an "op"/],
    ['an op of another kind', [{ op: 'spam', path: '/a' }], /must have an "op"/],
    ['an inherited op', [{ op: 'constructor', path: '/a' }], /must have an "op"/],
    ['no path', [{ op: 'remove' }], /needs a "path"/],
    ['a path that is a list', [{ op: 'remove', path: ['a'] }], /needs a "path"/],
    ['a path without a slash', [{ op: 'remove', path: 'a' }], /"path" that is not a JSON Pointer/],
    ['a path without an end', [{ op: 'remove', path: `/${'a'.repeat(65_536)}` }], /longer than 64 KB/],
    ['a path with a wrong escape', [{ op: 'remove', path: '/a~2' }], /"path" that is not a JSON Pointer/],
    ['no value', [{ op: 'add', path: '/a' }], /needs a "value", since it is "add"/],
    ['no from', [{ op: 'move', path: '/a' }], /needs "from", since it is "move"/],
    ['a from without a slash', [{ op: 'copy', path: '/a', from: 'b' }], /"from" that is not/],
    ['a fault further down', [{ op: 'remove', path: '/a' }, null], /Operation 2 /],
  ])('with %s is refused in a sentence', (_what, document, message) => {
    expect(readOperations(document)).toMatch(message)
  })

  it('may hold members that nobody asked for', () => {
    expect(readOperations([{ op: 'remove', path: '/a', value: 1, why: '' }])).toEqual([
      { op: 'remove', path: '/a' },
    ])
  })
})

const documents = fc.record({
  a: fc.jsonValue({ maxDepth: 2 }),
  b: fc.array(fc.integer()),
  c: fc.constant({ d: { e: 1 } }),
})
const pointers = fc.constantFrom(
  '/a',
  '/b',
  '/b/0',
  '/b/1',
  '/b/-',
  '/c',
  '/c/d',
  '/c/d/e',
  '/c/x',
  '/x',
  '/x/y',
  '/b/2',
)
const operations: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'replace', 'test'),
    path: pointers,
    value: fc.jsonValue({ maxDepth: 1 }),
  }),
  fc.record({
    op: fc.constant('test' as const),
    path: pointers,
    value: fc.constantFrom<unknown>({ d: { e: 1 } }, 1, []),
  }),
  fc.record({ op: fc.constant('remove' as const), path: pointers }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path: pointers, from: pointers }),
)

async function patched(document: unknown, patch: readonly unknown[]): Promise<unknown> {
  const operations = readOperations(patch)
  if (typeof operations === 'string') throw new Error(operations)
  return applyJsonPatch(document, operations)
}

/** The RFC, word by word; move and copy as what they are said to be short for. */
function model(document: unknown, operation: PatchOperation): unknown {
  const path = operation.path.split('/').slice(1)
  const from = 'from' in operation ? operation.from.split('/').slice(1) : []
  switch (operation.op) {
    case 'test':
      expect(JSON.stringify(at(document, path))).toBe(JSON.stringify(operation.value))
      return document
    case 'remove':
      at(document, path)
      return removeFrom(document, path)
    case 'replace':
      at(document, path)
      return addTo(removeFrom(document, path), path, structuredClone(operation.value))
    case 'copy':
      return addTo(document, path, structuredClone(at(document, from)))
    case 'move': {
      const value = at(document, from)
      if (operation.path.startsWith(`${operation.from}/`)) throw new Error('Into itself')
      return addTo(removeFrom(document, from), path, value)
    }
    case 'add':
      return addTo(document, path, structuredClone(operation.value))
  }
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) throw new Error('Missing')
  return at(Reflect.get(value, name), rest)
}

function addTo(document: unknown, path: readonly string[], value: unknown): unknown {
  const parent = at(document, path.slice(0, -1))
  const name = String(path.at(-1))
  if (Array.isArray(parent)) {
    const place = name === '-' ? parent.length : Number(name)
    if (!(place <= parent.length)) throw new Error('Past the end')
    parent.splice(place, 0, value)
  } else if (typeof parent === 'object' && parent !== null) Reflect.set(parent, name, value)
  else throw new Error('Missing')
  return document
}

function removeFrom(document: unknown, path: readonly string[]): unknown {
  const parent = at(document, path.slice(0, -1))
  const name = String(path.at(-1))
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else Reflect.deleteProperty(Object(parent), name)
  return document
}

async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch {
    return 'refused'
  }
}

async function failureOf(patching: Promise<unknown>): Promise<StorageError> {
  try {
    await patching
  } catch (error) {
    if (error instanceof StorageError) return error
    throw error
  }
  throw new Error('Nothing failed')
}
