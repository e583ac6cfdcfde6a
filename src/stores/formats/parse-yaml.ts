import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Parser,
  Schema,
} from 'yaml'
import { placeAt } from '../../core/kernel/json/text-place.ts'
import { type DecodedFile, FormatFault, repetition } from './codec.ts'

/** The parser needs a kilobyte of stack for each, and without stack, V8 ends the whole process. */
const MOST_YAML_LEVELS = 250

/** Made once: it takes as long as a row. */
const SCHEMA = new Schema({ schema: 'core', resolveKnownTags: true, merge: true })

export function parseYaml(text: string): Document.Parsed {
  const tokens = [...new Parser().parse(text)]
  checkDepth(tokens, text)
  const composer = new Composer({
    keepSourceTokens: true,
    logLevel: 'error',
    uniqueKeys: false,
    merge: true,
    // A directive may ask for another one.
    ...(/^%/m.test(text) ? {} : { schema: SCHEMA }),
  })
  const [document, other] = composer.compose(tokens, true, text.length)
  if (!document) throw new Error('A text is at least an empty document.')
  const [error] = document.errors
  if (error) throw fault(error.message.split('\n', 1)[0]?.replace(/:$/, '') ?? '', text, error.pos[0])
  if (other) throw fault('there is more than one document in it', text, other.range[0])
  return document
}

function fault(what: string, text: string, at: number): FormatFault {
  return new FormatFault(`not valid YAML: ${what} at ${placeAt(text, at)}. Correct it there.`)
}

/** Before nodes are made of tokens, which calls itself for each level. */
function checkDepth(tokens: readonly CST.Token[], text: string): void {
  const rest = tokens.map((token): { token: CST.Token; depth: number } => ({ token, depth: 0 }))
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { token, depth } = next
    if (depth > MOST_YAML_LEVELS) {
      const where = placeAt(text, token.offset)
      throw new FormatFault(`nested deeper than ${MOST_YAML_LEVELS} levels at ${where}: make it flatter.`)
    }
    if (token.type === 'document' && token.value) rest.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) rest.push({ token: key, depth: depth + 1 })
      if (value) rest.push({ token: value, depth: depth + 1 })
    }
  }
}

/** Anchors and tags say more than values do: an edit of the values alone could change what they mean. */
export function inspectYaml(
  { contents }: Document.Parsed,
  text: string,
): Pick<DecodedFile, 'unsaved' | 'repeated'> {
  const anchors = new Set<string>()
  let unsaved: string | undefined
  let repeated: string | undefined
  const rest: unknown[] = [contents]
  while (rest.length > 0) {
    const node = rest.pop()
    if (isPair(node)) {
      rest.push(node.value, node.key)
      continue
    }
    if (isAlias(node)) {
      const { source, range } = node
      if (!anchors.has(source)) throw fault(`no anchor "${source}" before its alias`, text, range?.[0] ?? 0)
    }
    const { anchor, tag }: { anchor?: unknown; tag?: unknown } = Object(node)
    if (typeof anchor === 'string') anchors.add(anchor)
    if (isAlias(node) || anchor !== undefined) unsaved ??= 'it has anchors'
    else if (tag !== undefined) unsaved ??= 'it has tags'
    if (!isCollection(node)) continue
    for (const item of node.items.toReversed()) rest.push(item)
    if (!isMap(node)) continue
    const names = new Set<string>()
    for (const { key } of node.items) {
      if (!isScalar(key)) unsaved ??= 'it has lists or objects as keys'
      else if (key.source === '<<') unsaved ??= 'it has merge keys'
      else if (names.size === names.add(nameOf(key)).size)
        repeated ??= repetition(text, nameOf(key), key.range?.[0] ?? 0)
    }
  }
  return { unsaved, repeated }
}

export function nameOf(key: unknown): string {
  return String((isScalar(key) ? key.value : undefined) ?? '')
}

/** With everything that anchors and tags mean. */
export function fullValue(document: Document.Parsed, text: string): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: Math.max(1000, text.length) })))
  } catch {
    throw new FormatFault('not usable: its anchors lead to each other, or to too much. Write the values out.')
  }
}
