/** Whom a request is from, and the session whose data it is for. */
export interface Identity {
  readonly apiKey?: string
  readonly token?: string
  readonly session?: string
  /** Acts as this user. */
  readonly user?: string
}

export interface Call {
  readonly method: string
  readonly url: string
  /** As a client sent them, with secrets masked. Absent for requests of this page. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * The call as a `curl` command for a POSIX shell. Credentials appear as variables: what is copied ends up in
 * chats and tickets.
 */
export function toCurl(call: Call, identity: Identity = {}): string {
  const { method, url, body } = call
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quote(url),
    ...headersOf(call, identity).map((header) => `-H ${quoteHeader(header)}`),
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
  ].join(' ')
}

export function toFetch(call: Call, identity: Identity = {}): string {
  const { method, url, body } = call
  const headers = headersOf(call, identity)
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(({ name, value }) => `    ${literal(name)}: ${literal(value)},`),
          '  },',
        ]),
    ...(body === undefined ? [] : [`  body: ${literal(body)},`]),
  ]
  const argument = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  return `const response = await fetch(${literal(url)}${argument})\nconst data = await response.json()`
}

interface Header {
  readonly name: string
  readonly value: string
  /** The value is a shell variable that stands for a secret. */
  readonly isVariable?: boolean
}

function headersOf({ headers, body }: Call, { apiKey, token, session, user }: Identity): readonly Header[] {
  if (headers) {
    const sent = Object.entries(headers).filter(([name]) => !OF_THE_CLIENT.test(name))
    return sent.map(([name, value]) => (value.endsWith(MASK) ? variable(name, value) : { name, value }))
  }
  return [
    ...(body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
    ...(apiKey === undefined ? [] : [variable('X-API-KEY', MASK)]),
    ...(token === undefined ? [] : [variable('Authorization', `Bearer ${MASK}`)]),
    ...(session === undefined ? [] : [{ name: 'X-Mock-Session', value: session }]),
    ...(user === undefined ? [] : [{ name: 'X-Mock-User', value: user }]),
  ]
}

/** Stands for a secret in what the server shows. */
const MASK = '***'

/** Headers that every client adds on its own, or that only this page sends. */
const OF_THE_CLIENT =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect|accept|accept-(?:encoding|language)|user-agent|origin|referer|cache-control|pragma|dnt|priority|upgrade-insecure-requests|x-restable-page|sec-.*)$/

function variable(name: string, value: string): Header {
  // Inside double quotes, a header name chosen by a client must not become a shell command.
  if (!/^[\w-]+$/.test(name)) return { name, value }
  const common: Readonly<Record<string, string>> = { 'x-api-key': '$API_KEY', authorization: '$TOKEN' }
  const word = common[name.toLowerCase()] ?? `$${name.toUpperCase().replaceAll('-', '_')}`
  return {
    name,
    value: /^\w+ \*\*\*$/.test(value) ? value.replace(MASK, () => word) : word,
    isVariable: true,
  }
}

function quoteHeader({ name, value, isVariable }: Header): string {
  return isVariable ? `"${name}: ${value}"` : quote(`${name}: ${value}`)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
