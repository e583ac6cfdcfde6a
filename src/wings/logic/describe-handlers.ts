import { asMethod, type Endpoint, OPEN, pathParameters } from '../../core/kernel/catalogue/endpoint.ts'
import type { ParsedLogic } from './parse-logic.ts'

/** The handlers of a logic file, for the OpenAPI document. What they take and give is up to them. */
export function describeHandlers(logic: ParsedLogic | undefined): readonly Endpoint[] {
  return (logic?.routes ?? []).map(({ method, path: written, segments }) => {
    const path = written.replace(/:([^/]+)/g, '{$1}')
    const name = segments.map((part) => part.replace(/[^a-z0-9]+/gi, ' ').trim()).join(' ')
    return {
      id: `${method.toLowerCase()} ${name}`.replace(/ +(.)/g, (_, letter: string) => letter.toUpperCase()),
      method: asMethod(method),
      path,
      kind: 'handler',
      summary: `${method} ${written}`,
      description: `Of ${logic?.name.split(/[/\\]/).at(-1)}.`,
      parameters: pathParameters(path),
      ...(method !== 'GET' && method !== 'DELETE' && { body: { schema: OPEN }, isBodyOptional: true }),
      response: { schema: {} },
    }
  })
}
