/** The headers of a part. */
export interface PartHead {
  readonly name: string
  /** Undefined without one; empty where nothing was chosen. */
  readonly fileName: string | undefined
  readonly type: string
  /** With its parameters. */
  readonly contentType: string | undefined
}

/** The head of a part; undefined without a name. @param headers as the parser has them: bytes as characters */
export function headOf(headers: Readonly<Record<string, unknown>>): PartHead | undefined {
  const disposition = firstOf(headers['content-disposition'])
  const contentType = firstOf(headers['content-type'])
  if (disposition === undefined || !/^\s*form-data\s*;/i.test(disposition)) return undefined
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, bare = ''] of disposition.matchAll(PARAMETER)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? bare
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), value)
  }
  const name = parameters.get('name')
  if (name === undefined || name === '') return undefined
  const plain = parameters.get('filename')
  const extended = parameters.get('filename*')
  const fileName = plain === undefined ? extended && decodeExtended(extended) : decodeText(plain)
  const [type = ''] = (contentType ?? '').split(';', 1)
  return { name: decodeText(name), fileName, type: type.trim().toLowerCase(), contentType }
}

const PARAMETER = /;\s*([\w!#$&+.^`|~-]+\*?)\s*=\s*(?:"((?:\\["\\]|[^"])*)"|([^;\s]*))/g

function firstOf(values: unknown): string | undefined {
  const first: unknown = Array.isArray(values) ? values[0] : undefined
  return typeof first === 'string' ? first : undefined
}

/** Browsers send UTF-8, and escape what would end the value. */
function decodeText(sent: string): string {
  const bytes = Buffer.from(sent, 'latin1')
  const text = bytes.toString('utf8')
  const readable = text.includes('\uFFFD') ? sent : text
  return readable.replace(/%22|%0D|%0A/gi, (code) => decodeURIComponent(code))
}

/** `UTF-8''na%C3%AFve.png` */
function decodeExtended(sent: string): string {
  const [, charset = '', encoded = ''] = /^([\w-]*)'[^']*'(.*)$/s.exec(sent) ?? []
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString(/^utf-8$/i.test(charset) ? 'utf8' : 'latin1')
}
