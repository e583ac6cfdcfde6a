import type { RequestHandler } from 'express'
import { endpoints, TEXT } from '../../core/kernel/catalogue/endpoint.ts'
import { only } from '../../core/kernel/http/chain.ts'
import type { RewriteRules } from '../../core/kernel/http/request-url.ts'
import { asksForRules, RULES_PATH, rewriteUrl, rewriting } from '../../core/layers/rewriter.ts'
import type { Feature } from '../feature.ts'

export const rewriterFeature: Feature = {
  name: 'rewriter',
  endpoints: endpoints(
    { gives: { type: 'object', additionalProperties: TEXT } },
    { getRules: [`GET ${RULES_PATH}`, 'The rewrite rules'] },
  ),
  rewriteBy: rewriting,
  open: () => ({
    under: ({ rewrites: rules }) => ({
      rewriting: Object.keys(rules).length > 0 ? [rewriteUrl(rules)] : [],
      behindGuards: [showRules(rules)],
    }),
  }),
}

/** Behind every guard, wherever the rewriter is. Not for requests that a rule rewrote. */
function showRules(rules: RewriteRules): RequestHandler {
  return only({ url: /^\/__rules/ }, (req, res, next) => {
    if (req.url === req.originalUrl && asksForRules(req)) res.json(rules)
    else next()
  })
}
