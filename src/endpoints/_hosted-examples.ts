import { createRequire } from 'node:module'
import type { Row } from '../storage/types.ts'

/** What the hosted mock answers with. */
export interface HostedExamples {
  readonly products: readonly Row[]
  readonly companies: readonly Row[]
  /** What `GET /products/<id>` answers where that differs from the list. */
  readonly productsById?: Readonly<Record<string, Row>>
}

/** The examples of this package: the same place from `src/endpoints` and from `dist/endpoints`. */
export function shippedExamples(): HostedExamples {
  const examples: HostedExamples = createRequire(import.meta.url)('../../data/hosted-examples.json')
  return examples
}
