/** A URL, and the ranges in it that came from the client, as [start, end). */
export interface Filled {
  readonly url: string
  readonly written: readonly (readonly [start: number, end: number])[]
}

export interface Merged {
  readonly url: string
  readonly parameters: ReadonlySet<string>
}

/** The rule's parameters, then the client's others: a second value, however spelled, would widen the rule's filter. */
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
  /** Whether its name is spelled out in the rule. */
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
 * The name a query parser gives a parameter: `owner` for `owner=1`, `%6Fwner=1`, `owner[]=1`, `owner[0]=1` and
 * `[owner]=1` alike. Where parsers disagree (`[[owner]`, `owner]`), anything that any of them might read as that name counts.
 */
function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  const [bare = ''] = /[^[\]]+/.exec(name.replace(/%5B/gi, '[').replace(/%5D/gi, ']')) ?? []
  const plain = decoded(bare.replaceAll('+', ' '))
  // `ids` is an alias of `id`.
  return plain === 'ids' ? 'id' : plain
}

/** Query parsers take invalid percent-encoding as is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
