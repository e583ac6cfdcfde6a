import type { Faker } from '@faker-js/faker'
import type { Random } from '../../core/kernel/util/random.ts'
import type { Fakes } from './maker.ts'

interface Kind {
  /** Of the resource and the field, in lower case, as words: `users first name`. */
  readonly names: RegExp
  readonly looks: RegExp
  readonly make: (faker: Faker) => string
}

const WORDS = /^\p{Lu}[\p{L}'’.,&-]*(?: (?:and |of |the )?[\p{Lu}][\p{L}'’.,&-]*)*$/u
const SEVERAL_WORDS = /^\p{Lu}[\p{L}'’&-]*(?: \p{Lu}[\p{L}'’&-]*)+$/u
const WORD = /^\p{Lu}[\p{L}'’-]+$/u
const FULL_NAME = /^\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,2}$/u
const PEOPLE =
  'users|people|persons|customers|authors|employees|members|contacts|patients|students|teachers|agents|artists|players|clients|staff'

const KINDS: readonly Kind[] = [
  { names: /\b(?:first|given) ?name$/, looks: WORD, make: ({ person }) => person.firstName() },
  { names: /\b(?:last|family|sur) ?name$/, looks: WORD, make: ({ person }) => person.lastName() },
  {
    names: /\b(?:user ?name|login|nick ?name|handle)$/,
    looks: /^[a-z\d._-]+$/i,
    make: ({ person }) => `${person.firstName()}.${person.lastName()}`.replace(/[^A-Za-z.]/g, ''),
  },
  {
    names:
      /\b(?:company|employer|organi[sz]ation|vendor|supplier|companies name|organi[sz]ations name|suppliers name|vendors name)$|\b(?:company|employer) name$/,
    looks: WORDS,
    make: ({ company }) => company.name(),
  },
  {
    names: /\bproduct(?: name)?$|\bproducts (?:name|title)$/,
    looks: SEVERAL_WORDS,
    make: ({ commerce }) => commerce.productName(),
  },
  {
    names: new RegExp(
      `\\b(?:author|customer|owner|contact|assignee|manager|director|artist|reviewer)(?: name)?$|\\b(?:full|display) ?name$|\\b(?:${PEOPLE}) name$`,
    ),
    looks: FULL_NAME,
    make: ({ person }) => `${person.firstName()} ${person.lastName()}`,
  },
  { names: /\b(?:city|town)$/, looks: WORDS, make: ({ location }) => location.city() },
  { names: /\bcountry$/, looks: /^\p{Lu}.{3,}/u, make: ({ location }) => location.country() },
  { names: /\b(?:state|province)$/, looks: /^\p{Lu}\p{Ll}.+/u, make: ({ location }) => location.state() },
  {
    names: /\b(?:street|address|street address)$/,
    looks: /^\d+ \p{Lu}/u,
    make: ({ location }) => location.streetAddress(),
  },
  { names: /\b(?:job|job title|occupation)$/, looks: WORDS, make: ({ person }) => person.jobTitle() },
]

/** Undefined where it is not installed. */
export async function loadFakes(): Promise<Fakes | undefined> {
  const module = await import('@faker-js/faker/locale/en').catch(() => undefined)
  if (!module) return undefined
  let source: Random | undefined
  const randomizer = { next: () => source?.next() ?? 0, seed: () => {} }
  const { constructor: Class, rawDefinitions: locale } = module.faker
  // Its class, which only the module with all languages exports: that takes five times as long to load.
  const faker: Faker = Reflect.construct(Class, [{ locale, randomizer }])
  return (place, values) => {
    const name = wordsOf(`${place.resource} ${place.name}`)
    const kind = KINDS.find(({ names, looks }) => names.test(name) && isMostly(looks, values))
    return (
      kind &&
      ((random) => {
        source = random
        return kind.make(faker)
      })
    )
  }
}

function isMostly(looks: RegExp, values: readonly string[]): boolean {
  return values.filter((value) => looks.test(value)).length * 5 >= values.length * 4
}

/** `firstName`, `first_name` → `first name` */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase()
}
