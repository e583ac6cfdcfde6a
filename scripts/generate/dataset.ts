import { allFakers, type Faker } from '@faker-js/faker'

export interface Product {
  readonly id: number
  readonly name: string
  readonly price: number
  readonly company_id: number
}

interface Location {
  readonly city: string
  readonly employee_number: number
  readonly state: string
}

interface Company {
  readonly id: number
  readonly name: string
  readonly revenue: number
  readonly headquarter: { readonly lat: number; readonly lon: number }
  readonly locations: readonly Location[]
}

export interface DatasetOptions {
  readonly products: number
  readonly companies: number
  /** The same seed gives the same rows, whatever was generated before. */
  readonly seed: number
  readonly locale: string
}

/** A collection's name and its rows, generated one at a time so that a million of them need no memory. */
export interface Section {
  readonly name: 'products' | 'companies'
  readonly count: number
  readonly rows: Iterable<Product | Company>
}

/** Codes of all available locales. */
export const locales: readonly string[] = Object.keys(allFakers).sort()

/**
 * The sections of the data file, in its order. They draw from one random sequence:
 * read each once, the first before the second.
 */
export function dataset(options: DatasetOptions): readonly Section[] {
  const words = vocabulary(options.locale, options.seed)
  return [
    { name: 'products', count: options.products, rows: products(words, options.products, options.companies) },
    { name: 'companies', count: options.companies, rows: companies(words, options.companies) },
  ]
}

interface Vocabulary {
  readonly faker: Faker
  readonly product: () => string
  readonly company: () => string
  readonly city: () => string
  readonly state: () => string
}

function vocabulary(locale: string, seed: number): Vocabulary {
  const fakers = new Map<string, Faker>(Object.entries(allFakers))
  const faker = fakers.get(locale)
  if (!faker) throw new RangeError(`No such locale: ${locale}`)
  const words = {
    faker,
    product: spoken(faker, (from) => from.commerce.productName()),
    company: spoken(faker, (from) => from.company.name()),
    city: spoken(faker, (from) => from.location.city()),
    state: spoken(faker, (from) => from.location.state()),
  }
  // Trying out the locale has advanced both generators, so they are seeded only now.
  allFakers.en.seed(seed)
  faker.seed(seed)
  return words
}

/** Some locales lack some data (there are no states in Azerbaijan): those fall back to English. */
function spoken(faker: Faker, pick: (from: Faker) => string): () => string {
  try {
    pick(faker)
    return () => pick(faker)
  } catch {
    return () => pick(allFakers.en)
  }
}

function* products(words: Vocabulary, count: number, companyCount: number): Generator<Product> {
  for (let id = 1; id <= count; id++) {
    yield {
      id,
      name: words.product(),
      price: words.faker.number.float({ min: 1, max: 1000, fractionDigits: 2 }),
      company_id: words.faker.number.int({ min: 1, max: companyCount }),
    }
  }
}

function* companies(words: Vocabulary, count: number): Generator<Company> {
  const { faker } = words
  for (let id = 1; id <= count; id++) {
    yield {
      id,
      name: words.company(),
      revenue: faker.number.float({ min: 1_000_000, max: 100_000_000, fractionDigits: 2 }),
      headquarter: { lat: faker.location.latitude(), lon: faker.location.longitude() },
      locations: Array.from({ length: faker.number.int({ min: 1, max: 5 }) }, () => ({
        city: words.city(),
        employee_number: faker.number.int({ min: 10, max: 10_000 }),
        state: words.state(),
      })),
    }
  }
}
