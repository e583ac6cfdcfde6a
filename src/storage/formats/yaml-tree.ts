import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  Schema,
  visit,
} from 'yaml'
import { FormatFault } from './codec.ts'
import { plainValue, type TextEntry, type TextNode } from './commented-text.ts'

export interface YamlTree {
  /** Undefined if there is nothing in the text. */
  readonly root: TextNode | undefined
  /** Why it cannot be written back as it was. */
  readonly unsaved: string | undefined
  /** With everything that anchors and tags mean. */
  readonly value: () => unknown
}

/** @param base where the text begins, in a longer one */
export function parseYaml(text: string, base = 0): YamlTree {
  const document = parseDocument(text, {
    keepSourceTokens: true,
    logLevel: 'error',
    uniqueKeys: false,
    merge: true,
    // A directive may ask for another one.
    ...(/^%/m.test(text) ? {} : { schema: SCHEMA }),
  })
  const [error] = document.errors
  if (error) {
    const [place] = error.linePos ?? []
    const where = place ? ` at line ${place.line}, column ${place.col}` : ''
    const what = error.message
      .split('\n', 1)[0]
      ?.replace(/:$/, '')
      .replace(/ at line \d+, column \d+$/, '')
      .replace(/^Source contains multiple documents.*/, 'there is more than one document in it')
    throw new FormatFault(`not valid YAML: ${what}${where}. Correct it there.`)
  }
  const { contents } = document
  return {
    root: contents === null ? undefined : nodeOf(text, contents, base),
    unsaved: unsavedBecause(contents),
    value: () => {
      try {
        return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: Math.max(1000, text.length) })))
      } catch {
        throw new FormatFault(
          'not usable: its anchors lead to each other, or to too much. Write the values out.',
        )
      }
    },
  }
}

/** Made once: it takes as long as a row. */
const SCHEMA = new Schema({ schema: 'core', resolveKnownTags: true, merge: true })

/** Anchors and tags say more than values do: an edit of the values alone could change what they mean. */
function unsavedBecause(contents: ParsedNode | null): string | undefined {
  let reason: string | undefined
  visit(contents, (_, node) => {
    if (isAlias(node) || has(node, 'anchor')) reason = 'it has anchors'
    else if (has(node, 'tag')) reason = 'it has tags'
    else if (isMap(node) && node.items.some(({ key }) => !isScalar(key)))
      reason = 'it has lists or objects as keys'
    else if (isMap(node) && node.items.some(({ key }) => isScalar(key) && key.source === '<<'))
      reason = 'it has merge keys'
    return reason === undefined ? undefined : visit.BREAK
  })
  return reason
}

function has(node: unknown, property: 'anchor' | 'tag'): boolean {
  return typeof Reflect.get(Object(node), property) === 'string'
}

/** @param emptyAt where a value goes, if there is none */
function nodeOf(text: string, node: unknown, base: number, emptyAt = 0): TextNode {
  if (isMap(node) || isSeq(node)) {
    const isBlock = node.flow !== true
    const entries = isMap(node)
      ? node.items.map((pair) => memberOf(text, pair, base))
      : itemsOf(text, node.items, isBlock ? dashesOf(node.srcToken) : [], base)
    if (isBlock) return blockOf(text, entries, isSeq(node), base)
    const [start = 0, end = 0] = node.range ?? []
    return { start: base + start, end: base + end, entries, value: plainValue(entries, isSeq(node)) }
  }
  const scalar = isScalar(node) ? node : undefined
  const [start = 0, end = 0] = scalar?.range ?? []
  const value: unknown = scalar?.value ?? null
  return {
    start: base + (start === end ? emptyAt : start),
    end: base + (start === end ? emptyAt : text[end - 1] === '\n' ? end - 1 : end),
    value: typeof value === 'number' && !Number.isFinite(value) ? null : value,
  }
}

function itemsOf(
  text: string,
  items: readonly unknown[],
  dashes: readonly number[],
  base: number,
): TextEntry[] {
  return items.map((item, at) => {
    const dash = dashes[at]
    if (dash === undefined) {
      const node = nodeOf(text, item, base)
      return { start: node.start, node }
    }
    return { start: base + dash, head: base + dash + 1, node: nodeOf(text, item, base, dash + 1) }
  })
}

function memberOf(text: string, { key, value, srcToken }: Pair, base: number): TextEntry {
  const name = key as Node
  const [keyStart = 0, keyEnd = 0] = name.range ?? []
  const question = srcToken?.start.find(({ type }) => type === 'explicit-key-ind')
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
  const head = colon ? colon.offset + 1 : keyEnd
  return {
    name: String((isScalar(name) ? name.value : undefined) ?? ''),
    start: base + (question?.offset ?? keyStart),
    head: base + head,
    node: nodeOf(text, value, base, head),
  }
}

function dashesOf(token: unknown): number[] {
  const { items = [] }: { items?: readonly { start: readonly { type: string; offset: number }[] }[] } =
    Object(token)
  return items.flatMap(({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [])
}

/** Without brackets, it has at least one entry. */
export function blockOf(text: string, entries: readonly TextEntry[], isList: boolean, base = 0): TextNode {
  const last = entries.at(-1)?.node
  return {
    start: entries[0]?.start ?? base,
    end: last ? endOf(text, last, base) : base,
    entries,
    isBlock: true,
    value: plainValue(entries, isList),
  }
}

/** With a comment on the same line. */
function endOf(text: string, { end, isBlock }: TextNode, base: number): number {
  if (isBlock) return end
  COMMENT.lastIndex = end - base
  return end + (COMMENT.exec(text)?.[0].length ?? 0)
}

const COMMENT = /[ \t]+#[^\n]*/y
