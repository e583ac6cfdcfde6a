import memoize from 'lodash/memoize.js'
import { dataset, type Product } from '../generate/dataset.ts'
import { serializeSections } from '../generate/serialize-sections.ts'

/** Enough to search for. */
const SAMPLE_ROWS = 10_000

/** For 100 products, the reference data; for more, ten products per company. */
export function companiesFor(rows: number): number {
  return Math.max(100, Math.floor(rows / 10))
}

/** The data file as text, piece by piece. */
export function* dataFile(rows: number): Generator<string> {
  for (const { text } of serializeSections(sections(rows))) yield text
}

/** An existing product, a different one for each number. */
export function productAt(rows: number, n: number): Product {
  const sample = sampleOf(rows)
  const product = sample[n % sample.length]
  if (product === undefined) throw new Error('There are no products to search for')
  return product
}

const sampleOf = memoize((rows: number): readonly Product[] => {
  const products: Product[] = []
  for (const row of sections(rows)[0]?.rows ?? []) {
    if ('company_id' in row) products.push(row)
    if (products.length >= SAMPLE_ROWS) break
  }
  return products
})

function sections(rows: number) {
  return dataset({ products: rows, companies: companiesFor(rows), seed: 2026, locale: 'en' })
}
