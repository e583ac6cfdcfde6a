import { isLowdb, openEngine as openLocally } from '../../../../src/router/open-engine.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import type { Naming } from '../../../../src/storage/types.ts'
import { isInMemory } from '../../engine/in-memory.ts'
import { switchEngine } from './switched-engine.ts'

export { isLowdb, withRules } from '../../../../src/router/open-engine.ts'

/** Instead of `src/router/open-engine.ts`: the same data, in a schema of its own. What is an engine stays one. */
export function openEngine(source: string | object, naming: Naming): Engine {
  const engine = openLocally(source, naming)
  if (engine === source || !(engine instanceof LocalEngine)) return engine
  if (typeof source === 'object' && (isLowdb(source) || isInMemory(source))) return engine
  return switchEngine(engine, typeof source === 'string' ? { file: source } : { object: source })
}
