import type { Random } from '../../core/kernel/util/random.ts'
import type { Maker } from '../../wings/making/maker.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'

/** The meaning of a text, by its name: a note in schemas that rows are made from. */
export const MEANING = 'x-meaning'

const WORDS: Readonly<Record<string, readonly string[]>> = {
  first: 'Ada Alan Barbara Claude Dennis Edsger Frances Grace Hedy Jean Ken Leslie Margaret Radia'.split(' '),
  last: 'Allen Bartik Dijkstra Hamilton Hopper Kay Lamarr Liskov Lovelace Ritchie Shannon Turing'.split(' '),
  like: 'Bright Calm Classic Compact Fresh Handy Light Modern Quiet Sturdy'.split(' '),
  thing: 'Bag Bottle Chair Desk Keyboard Lamp Mug Notebook Shelf Table'.split(' '),
  city: 'Amsterdam Bergen Boston Kyoto Lisbon Lyon Montreal Nairobi Porto Seattle Turin Vienna'.split(' '),
  country: 'Austria Brazil Canada France Germany India Italy Japan Kenya Norway Portugal'.split(' '),
  code: 'AT BR CA DE FR IN IT JP KE NO PT US'.split(' '),
  state: 'Bavaria California Ontario Oregon Tuscany Utrecht'.split(' '),
  street: 'Bridge Castle Garden Harbor Hill Market Mill Park River Station'.split(' '),
  firm: 'Acme Cedar Globe Harbor Lumen North Orbit Summit Vertex'.split(' '),
  kind: 'Group Inc Labs Ltd Works'.split(' '),
  job: 'Accountant Designer Editor Engineer Nurse Teacher'.split(' '),
  tag: 'blue featured large new popular sale small summer'.split(' '),
  money: 'EUR GBP JPY USD'.split(' '),
  language: 'de en es fr it ja'.split(' '),
  zone: 'America/New_York Asia/Tokyo Europe/Rome UTC'.split(' '),
  hex: [...'0123456789abcdef'],
  title: ['A first look', 'How it works', 'Notes from the team', 'Plans for spring', 'Why it matters'],
  sentence: [
    ...['Arrives within two days.', 'Easy to use, and made to last.', 'Looks good in every room.'],
    ...[
      'Please check the details before Friday.',
      'Thanks for the quick answer!',
      'Worked at the first try.',
    ],
  ],
}

interface Meaning {
  /** Names of fields with such a text, as words in lower case. */
  readonly names: RegExp
  /** With `{words}` of a kind, and digits for `#`. */
  readonly text: string
  readonly isLower?: true
  /** Whether faker makes better ones. */
  readonly isKnown?: true
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  email: { names: /\be ?mails?(?: address)?$/, text: '{first}.{last}@example.com', isLower: true },
  avatar: {
    names: /\b(?:avatar|photo|picture|image|thumbnail|logo|icon|cover)s?(?: (?:url|uri|link|src)s?)?$/,
    text: 'https://example.com/images/{thing}-###.png',
    isLower: true,
  },
  url: {
    names: /\b(?:url|uri|href|link|website|homepage|web page)s?$/,
    text: 'https://example.com/{like}-{thing}',
    isLower: true,
  },
  phone: { names: /\b(?:phone|mobile|telephone|tel|fax)(?: ?number)?$/, text: '+1 555 01## ###' },
  currency: { names: /\bcurrency(?: code)?$/, text: '{money}' },
  countryCode: { names: /\bcountry ?(?:code|iso\d?)$/, text: '{code}' },
  language: { names: /\b(?:lang|language|locale)(?: code)?$/, text: '{language}' },
  timezone: { names: /\btime ?zone$/, text: '{zone}' },
  zip: { names: /\b(?:zip|postal|post) ?code$|\b(?:zip|postcode)$/, text: '9####' },
  color: { names: /\bcolou?r$/, text: '{hash}{hex}{hex}{hex}{hex}{hex}{hex}' },
  slug: { names: /\b(?:slug|permalink|handle)$/, text: '{like}-{thing}-##', isLower: true },
  sku: { names: /\b(?:sku|product code|article number)$/, text: '{code}-####' },
  version: { names: /\bversion$/, text: '#.#.#' },
  tag: { names: /\b(?:tag|label|keyword|topic)s?(?: name)?$/, text: '{tag}' },
  first: { names: /\b(?:first|given) ?name$/, text: '{first}', isKnown: true },
  last: { names: /\b(?:last|family|sur) ?name$/, text: '{last}', isKnown: true },
  login: { names: /\b(?:user ?name|login|nick ?name)$/, text: '{first}##', isLower: true, isKnown: true },
  company: {
    names: /\b(?:company|employer|organi[sz]ation|vendor|supplier|brand|manufacturer)(?: name)?$/,
    text: '{firm} {kind}',
    isKnown: true,
  },
  person: {
    names:
      /\b(?:author|customer|owner|contact|assignee|manager|reviewer)(?: name)?$|\b(?:full|display|person) ?name$/,
    text: '{first} {last}',
    isKnown: true,
  },
  city: { names: /\b(?:city|town)$/, text: '{city}', isKnown: true },
  country: { names: /\bcountry(?: name)?$/, text: '{country}', isKnown: true },
  state: { names: /\b(?:state|province|region)(?: name)?$/, text: '{state}', isKnown: true },
  street: { names: /\b(?:street|address|address line|line ?1)$/, text: '## {street} Street', isKnown: true },
  job: { names: /\b(?:job|job title|occupation|profession)$/, text: '{job}', isKnown: true },
  text: {
    names:
      /\b(?:description|summary|body|content|text|comment|bio|about|notes?|message|details|excerpt|reason)$/,
    text: '{sentence} {sentence}',
  },
  title: { names: /\b(?:title|subject|headline)$/, text: '{title}' },
  name: { names: /\bname$/, text: '{like} {thing}', isKnown: true },
}

const PEOPLE =
  /^(?:users|people|persons?|customers|authors|employees|members|contacts|patients|students|teachers|artists|players|clients|owners)$/i

/** Makes texts of a meaning. */
export function meantText(
  meaning: unknown,
): { readonly make: Maker<string>; readonly isKnown: boolean } | undefined {
  const found = typeof meaning === 'string' ? MEANINGS[meaning] : undefined
  if (!found) return undefined
  const { text, isLower = false, isKnown = false } = found
  const make = (random: Random) => {
    const filled = text.replace(/#|\{(\w+)\}/g, (_, words?: string) => {
      if (words === 'hash') return '#'
      return words === undefined ? String(random.below(10)) : random.pick(WORDS[words] ?? [''])
    })
    return isLower ? filled.toLowerCase() : filled
  }
  return { make, isKnown }
}

/** Numbers by their names: a range, and a step. */
const NUMBERS: readonly (readonly [names: RegExp, least: number, most: number, step?: number])[] = [
  [/\b(?:price|amount|total|subtotal|cost|balance|fee|salary|revenue)$/, 1, 500, 0.01],
  [/\bage$/, 18, 80],
  [/\byear$/, 1990, 2025],
  [/\bmonth$/, 1, 12],
  [/\b(?:rating|stars)$/, 1, 5],
  [/\b(?:lat|latitude)$/, -90, 90, 0.0001],
  [/\b(?:lng|lon|long|longitude)$/, -180, 180, 0.0001],
  [/\b(?:percent|percentage|discount|progress)$/, 0, 100],
]

const TIMES =
  /\b(?:created|updated|modified|deleted|published|started|ended|expires|timestamp|date ?time)(?: ?(?:at|on|time))?$|\w ?at$/
const DATES = /\b(?:date|birthday|dob|day)$|\bdate of birth$/

/** A schema that says what the name of a field does: for values that look like something. What it already says stays. */
export function asMeant(
  schema: JsonSchema,
  name: string,
  resource: string,
  kind: string | undefined,
): JsonSchema {
  const words = wordsOf(name)
  if (kind === 'number' || kind === 'integer') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
    const isBound = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].some(
      (each) => each !== undefined,
    )
    const [, least, most, step] = NUMBERS.find(([names]) => names.test(words)) ?? []
    if (isBound || least === undefined) return schema
    const isWhole = kind === 'integer' || step === undefined
    return { ...schema, minimum: least, maximum: most, ...(!isWhole && { multipleOf: step }) }
  }
  const { format, pattern, enum: values } = schema
  if (kind !== 'string' || pattern !== undefined || values !== undefined) return schema
  const { format: _, ...free } = schema
  if (format === 'email') return { ...free, [MEANING]: 'email' }
  if (format !== undefined && format !== 'uri' && format !== 'url') return schema
  const isPersons = words === 'name' && PEOPLE.test(resource)
  const called = isPersons ? 'person name' : words
  const [meaning] = Object.entries(MEANINGS).find(([, { names }]) => names.test(called)) ?? []
  if (format !== undefined) return { ...free, [MEANING]: meaning === 'avatar' ? 'avatar' : 'url' }
  if (TIMES.test(words) && /\s/.test(words)) return { ...schema, format: 'date-time' }
  if (DATES.test(words)) return { ...schema, format: 'date' }
  return meaning === undefined ? schema : { ...free, [MEANING]: meaning }
}

/** `firstName`, `first_name` → `first name` */
function wordsOf(name: string): string {
  const parted = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')
  return parted.trim().toLowerCase()
}
