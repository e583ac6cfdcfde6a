/** A URL, and the places in it that the client wrote, each from its first letter up to the one behind its last. */
export interface Filled {
  readonly url: string
  readonly written: readonly (readonly [start: number, end: number])[]
}

/** A URL with the query of rule and client. */
export interface Merged {
  readonly url: string
  /** Names of the parameters that the rule gives. */
  readonly parameters: ReadonlySet<string>
}

/**
 * The rule's parameters first, then the client's own. One that the rule names is the rule's alone, however the client
 * spells it: a second value would widen the filter that the rule stands for.
 * @param rest the client's parameters that no part of the rule took
 */
export function mergeQuery({ url, written }: Filled, rest: readonly string[]): Merged {
  const mark = url.indexOf('?')
  if (mark === -1) return { url: rest.length === 0 ? url : `${url}?${rest.join('&')}`, parameters: NONE }
  const parts = partsOf(url, mark + 1, written)
  const parameters = new Set(parts.filter(({ isOwn }) => isOwn).map(({ text }) => nameOf(text)))
  const kept = parts
    .filter(({ text, isOwn }) => isOwn || !parameters.has(nameOf(text)))
    .map(({ text }) => text)
  const added = rest.filter((text) => text !== '' && !parameters.has(nameOf(text)))
  return { url: `${url.slice(0, mark + 1)}${[...kept, ...added].join('&')}`, parameters }
}

const NONE: ReadonlySet<string> = new Set()

interface Part {
  readonly text: string
  /** Whether its name stands in the rule, letter by letter. */
  readonly isOwn: boolean
}

function partsOf(url: string, from: number, written: Filled['written']): readonly Part[] {
  let start = from
  return url
    .slice(from)
    .split('&')
    .map((text) => {
      const [first, last] = [start, start + (text.split('=', 1)[0] ?? '').length]
      start += text.length + 1
      return { text, isOwn: first < last && !written.some(([begin, end]) => begin < last && end > first) }
    })
}

/**
 * What a query parser calls a parameter: `owner` for `owner=1`, `%6Fwner=1`, `owner[]=1`, `owner[0]=1` and `[owner]=1`
 * alike. Where parsers disagree (`[[owner]`, `owner]`), all that any of them might read as that name count as it.
 */
export function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  const [bare = ''] = /[^[\]]+/.exec(name.replace(/%5B/gi, '[').replace(/%5D/gi, ']')) ?? []
  const plain = decoded(bare.replaceAll('+', ' '))
  // The other name by which rows are asked for.
  return plain === 'ids' ? 'id' : plain
}

/** What is not valid percent-encoding, query parsers take as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
