import { regexes } from 'zod/mini'

/** The formats of JSON Schema that are recognized. A string has at most one of them. */
export type Format = 'uuid' | 'date-time' | 'date' | 'email' | 'uri'

/** Longer strings have no format, so that every test is quick. */
const LONGEST = 2000

/** Whether a string has a format. Stricter than the standards in doubtful cases, never more lenient. */
export function hasFormat(format: Format, text: string): boolean {
  return text.length <= LONGEST && TESTS[format](text)
}

export function formatOf(text: string): Format | undefined {
  return FORMATS.find((format) => hasFormat(format, text))
}

const FORMATS: readonly Format[] = ['uuid', 'date-time', 'date', 'email', 'uri']

const DATE_TIME = regexes.datetime({ offset: true })
/** `//` is required: by the grammar, `Size:XL` is a URI as well. */
const URI = /^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d+)?(?:[/?#](?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i

const TESTS: Readonly<Record<Format, (text: string) => boolean>> = {
  uuid: (text) => regexes.guid.test(text),
  'date-time': (text) => DATE_TIME.test(text),
  date: (text) => regexes.date.test(text),
  // A domain needs a dot: `root@localhost` is hardly meant as an email address.
  email: (text) => regexes.email.test(text) && regexes.domain.test(text.slice(text.indexOf('@') + 1)),
  uri: (text) => URI.test(text) && text.split('#').length <= 2,
}
