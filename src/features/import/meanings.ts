import type { Random } from '../../core/kernel/util/random.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'

/** The meaning of a text, by its name: a note in schemas that rows are made from. */
export const MEANING = 'x-meaning'

type Make = (random: Random, name: string) => string

const FIRST =
  'Ada Alan Barbara Claude Dennis Edsger Frances Grace Hedy Ivan Jean Ken Leslie Margaret Niklaus Radia'.split(
    ' ',
  )
const LAST =
  'Allen Bartik Dijkstra Hamilton Hopper Kay Lamarr Lamport Liskov Lovelace Perlman Ritchie Shannon Turing Wirth'.split(
    ' ',
  )
const ADJECTIVES = 'Bright Calm Classic Compact Fresh Handy Light Modern Quiet Sturdy'.split(' ')
const THINGS = 'Bag Bottle Chair Desk Keyboard Lamp Mug Notebook Shelf Table'.split(' ')
const CITIES = 'Amsterdam Bergen Boston Kyoto Lisbon Lyon Montreal Nairobi Porto Seattle Turin Vienna'.split(
  ' ',
)
const COUNTRIES = [
  ...['Austria', 'Brazil', 'Canada', 'France', 'Germany', 'India', 'Italy', 'Japan', 'Kenya', 'Netherlands'],
  ...['Norway', 'Portugal', 'United States'],
]
const STREETS = 'Bridge Castle Garden Harbor Hill Market Mill Park River Station'.split(' ')
const COMPANIES = 'Acme Blue Cedar Globe Harbor Lumen North Orbit Summit Vertex'.split(' ')
const SENTENCES = [
  ...['Arrives within two days.', 'Easy to use, and made to last.', 'Looks good in every room.'],
  ...['Please check the details before Friday.', 'Thanks for the quick answer!', 'Worked at the first try.'],
  ...['A little smaller than expected, but well made.', 'We talked about this last week.'],
]
const TITLES = [
  'A first look',
  'How it works',
  'Notes from the team',
  'Plans for spring',
  'What is new',
  'Why it matters',
]
const JOBS = ['Accountant', 'Designer', 'Editor', 'Engineer', 'Nurse', 'Product manager', 'Teacher']
const TAGS = 'blue featured large new popular sale small summer'.split(' ')

const PEOPLE =
  /^(?:users?|people|persons?|customers?|authors?|employees?|members?|contacts?|patients?|students?|teachers?|agents?|artists?|players?|clients?|owners?)$/i

const first: Make = (random) => random.pick(FIRST)
const last: Make = (random) => random.pick(LAST)
const word = (random: Random) => `${random.pick(ADJECTIVES)} ${random.pick(THINGS)}`
const dashed = (text: string) => text.toLowerCase().replace(/[^a-z\d]+/g, '-')
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.below(10)).join('')
const picking =
  (values: readonly string[]): Make =>
  (random) =>
    random.pick(values)

/** What texts are called, as words in lower case, and how such are made where faker does not know better. */
const MEANINGS: readonly (readonly [meaning: string, names: RegExp, make: Make, isOurs?: true])[] = [
  [
    'email',
    /\be ?mails?(?: address)?$/,
    (random) => `${first(random, '')}.${last(random, '')}@example.com`.toLowerCase(),
    true,
  ],
  [
    'avatar',
    /\b(?:avatar|photo|picture|image|thumbnail|logo|icon|cover|banner)s?(?: (?:url|uri|link|src)s?)?$/,
    (random, name) => `https://example.com/images/${dashed(name)}-${1 + random.below(1000)}.png`,
    true,
  ],
  [
    'url',
    /\b(?:url|uri|href|link|website|homepage|web page)s?$/,
    (random) => `https://example.com/${dashed(word(random))}`,
    true,
  ],
  [
    'phone',
    /\b(?:phone|mobile|telephone|tel|fax)(?: ?number)?$/,
    (random) => `+1 555 01${digits(random, 2)} ${digits(random, 3)}`,
    true,
  ],
  ['currency', /\bcurrency(?: code)?$/, picking(['EUR', 'GBP', 'JPY', 'USD']), true],
  [
    'countryCode',
    /\bcountry ?(?:code|iso\d?)$/,
    picking(['AT', 'BR', 'CA', 'DE', 'FR', 'IN', 'IT', 'JP', 'US']),
    true,
  ],
  ['language', /\b(?:lang|language|locale)(?: code)?$/, picking(['de', 'en', 'es', 'fr', 'it', 'ja']), true],
  ['timezone', /\btime ?zone$/, picking(['America/New_York', 'Asia/Tokyo', 'Europe/Rome', 'UTC']), true],
  [
    'zip',
    /\b(?:zip|postal|post) ?code$|\b(?:zip|postcode)$/,
    (random) => String(10_000 + random.below(89_999)),
    true,
  ],
  [
    'color',
    /\bcolou?r$/,
    (random) => `#${Array.from({ length: 6 }, () => random.below(16).toString(16)).join('')}`,
    true,
  ],
  [
    'slug',
    /\b(?:slug|permalink|handle)$/,
    (random) => dashed(`${word(random)} ${1 + random.below(99)}`),
    true,
  ],
  [
    'sku',
    /\b(?:sku|product code|article number)$/,
    (random) => `${random.pick(ADJECTIVES).slice(0, 2).toUpperCase()}-${1000 + random.below(9000)}`,
    true,
  ],
  [
    'version',
    /\bversion$/,
    (random) => `${1 + random.below(3)}.${random.below(10)}.${random.below(10)}`,
    true,
  ],
  ['tag', /\b(?:tag|label|keyword|topic)s?(?: name)?$/, picking(TAGS), true],
  ['first', /\b(?:first|given) ?name$/, first],
  ['last', /\b(?:last|family|sur) ?name$/, last],
  [
    'login',
    /\b(?:user ?name|login|nick ?name)$/,
    (random) => `${first(random, '')}${random.below(100)}`.toLowerCase(),
  ],
  [
    'company',
    /\b(?:company|employer|organi[sz]ation|vendor|supplier|brand|manufacturer)(?: name)?$/,
    (random) => `${random.pick(COMPANIES)} ${random.pick(['Ltd', 'Inc', 'Works', 'Group'])}`,
  ],
  [
    'person',
    /\b(?:author|customer|owner|contact|assignee|manager|director|artist|reviewer)(?: name)?$|\b(?:full|display) ?name$|^person name$/,
    (random) => `${first(random, '')} ${last(random, '')}`,
  ],
  ['city', /\b(?:city|town|place of birth)$/, picking(CITIES)],
  ['country', /\bcountry(?: name)?$/, picking(COUNTRIES)],
  [
    'state',
    /\b(?:state|province|region)(?: name)?$/,
    picking(['Bavaria', 'California', 'Ontario', 'Oregon', 'Tuscany', 'Utrecht']),
  ],
  [
    'street',
    /\b(?:street|address|street address|address line|line ?1)$/,
    (random) => `${1 + random.below(200)} ${random.pick(STREETS)} Street`,
  ],
  ['job', /\b(?:job|job title|occupation|profession)$/, picking(JOBS)],
  [
    'text',
    /\b(?:description|summary|body|content|text|comment|bio|about|notes?|message|details|excerpt|remark|reason)$/,
    (random) => `${random.pick(SENTENCES)} ${random.pick(SENTENCES)}`,
    true,
  ],
  ['title', /\b(?:title|subject|headline)$/, picking(TITLES), true],
  ['name', /\bname$/, word],
]

/** How texts of a meaning are made. */
export function makeMeant(meaning: string): { readonly make: Make; readonly isOurs: boolean } | undefined {
  const found = MEANINGS.find(([name]) => name === meaning)
  return found && { make: found[2], isOurs: found[3] ?? false }
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
  const [meaning] = MEANINGS.find(([, names]) => names.test(isPersons ? 'person name' : words)) ?? []
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
