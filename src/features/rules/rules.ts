import type { RequestHandler } from 'express'
import { endpoints, TEXT } from '../../core/kernel/catalogue/endpoint.ts'
import { only } from '../../core/kernel/http/chain.ts'
import { asksForRules, type RewriteRules, RULES_PATH } from '../../core/layers/rewriter.ts'
import type { Feature } from '../feature.ts'

export const rulesFeature: Feature = {
  name: 'rules',
  endpoints: endpoints(
    { gives: { type: 'object', additionalProperties: TEXT } },
    { getRules: [`GET ${RULES_PATH}`, 'The rewrite rules'] },
  ),
  open: () => ({ under: ({ rewrites }) => ({ behindGuards: [showRules(rewrites)] }) }),
}

/** Behind every guard, wherever the rewriter is. Not for requests that a rule rewrote. */
function showRules(rules: RewriteRules): RequestHandler {
  return only({ url: /^\/__rules/ }, (req, res, next) => {
    if (req.url === req.originalUrl && asksForRules(req)) res.json(rules)
    else next()
  })
}
