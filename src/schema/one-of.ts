import pluralize from 'pluralize'
import { withArticle } from './with-article.ts'

/** One row of a collection, in words: `a product`, `an agent`; `one of news`, for which there is no singular. */
export function oneOf(collection: string): string {
  const one = pluralize.singular(collection)
  return one === collection ? `one of ${collection}` : withArticle(one)
}
