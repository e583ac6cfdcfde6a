/** What a request shows to guards. */
export interface Shown {
  readonly apiKey?: string
  readonly token?: string
}

/** A request as people take it elsewhere. */
export interface Call {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly body?: string
}

/**
 * The call as a `curl` command for a POSIX shell. Credentials appear as variables: what is copied ends up in
 * chats and tickets.
 */
export function toCurl({ method, url, body }: Call, shown: Shown = {}): string {
  const headers = Object.entries(headersOf(body, shown)).map(
    ([name, value]) => `-H ${quoteHeader(name, value)}`,
  )
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(url),
    ...headers,
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
  ].join(' ')
}

/** The call as JavaScript. */
export function toFetch({ method, url, body }: Call, shown: Shown = {}): string {
  const headers = Object.entries(headersOf(body, shown))
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
          '  },',
        ]),
    ...(body === undefined ? [] : [`  body: ${literal(body)},`]),
  ]
  const argument = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  return `const response = await fetch(${literal(url)}${argument})\nconst data = await response.json()`
}

function headersOf(body: string | undefined, { apiKey, token }: Shown): Record<string, string> {
  return {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(apiKey !== undefined && { 'X-API-KEY': '$API_KEY' }),
    ...(token !== undefined && { Authorization: 'Bearer $TOKEN' }),
  }
}

function quoteHeader(name: string, value: string): string {
  // In double quotes where the shell is to put a variable in.
  return value.includes('$') ? `"${name}: ${value}"` : quote(`${name}: ${value}`)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
