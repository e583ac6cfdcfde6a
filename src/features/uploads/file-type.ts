/** The first bytes that decide about the type of a file. */
export const HEAD_BYTES = 4096

type Test = readonly [type: string, bytes: string, at?: number]

/** As Latin-1. */
const SIGNATURES: readonly Test[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['application/pdf', '%PDF-'],
  ['video/webm', '\x1a\x45\xdf\xa3'],
  ['audio/mpeg', 'ID3'],
  ['audio/mpeg', '\xff\xfb'],
  ['audio/mpeg', '\xff\xf3'],
  ['audio/mpeg', '\xff\xf2'],
  ['audio/ogg', 'OggS'],
  ['application/zip', 'PK\x03\x04'],
  ['application/zip', 'PK\x05\x06'],
]

/** The brand of a file of boxes. */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^avi[fs]/, 'image/avif'],
  [/^(?:heic|heix|hevc|hevx|mif1|msf1|heim|heis)/, 'image/heic'],
  [/^qt {2}/, 'video/quicktime'],
  [/^(?:isom|iso[2-9]|mp4\d|avc1|dash|M4V |f4v |3gp|MSNV)/, 'video/mp4'],
]

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

const ZIPPED: Readonly<Record<string, string>> = {
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  odt: `${OPEN}.text`,
  ods: `${OPEN}.spreadsheet`,
  epub: 'application/epub+zip',
}

const TEXTS: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  html: 'text/html',
}

/** The type of a file by its first bytes, and by the ending of its name only where those leave it open. */
export function typeOf(head: Uint8Array, name: string): string {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = byBytes(text)
  if (type === 'application/zip') return ZIPPED[ending] ?? type
  if (type !== undefined) return type
  if (!isText(head)) return 'application/octet-stream'
  return TEXTS[ending] ?? 'text/plain'
}

function byBytes(text: string): string | undefined {
  const found = SIGNATURES.find(([, bytes, at = 0]) => text.startsWith(bytes, at))
  if (found) return found[0]
  if (text.startsWith('RIFF')) {
    if (text.startsWith('WEBP', 8)) return 'image/webp'
    return text.startsWith('WAVE', 8) ? 'audio/wav' : undefined
  }
  if (!text.startsWith('ftyp', 4)) return undefined
  return BRANDS.find(([brand]) => brand.test(text.slice(8, 12)))?.[1]
}

/** UTF-8 without NUL, though the last character may be cut off. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

export function isTaken(type: string, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true
  return types.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
}

/** Types that a browser may show in the API's origin: nothing in them can run. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|json)$|text\/(?:plain|csv)$)/

export function isShown(type: string): boolean {
  return SHOWN.test(type)
}
