import { createRequire } from 'node:module'
import type { Row } from '../storage/types.ts'

export interface HostedExamples {
  readonly products: readonly Row[]
  readonly companies: readonly Row[]
  /** Responses of `GET /products/<id>` that differ from the list. */
  readonly productsById?: Readonly<Record<string, Row>>
}

/** The examples in this package; the path is the same from `src/endpoints` and `dist/endpoints`. */
export function shippedExamples(): HostedExamples {
  const examples: HostedExamples = createRequire(import.meta.url)('../../data/hosted-examples.json')
  return examples
}
