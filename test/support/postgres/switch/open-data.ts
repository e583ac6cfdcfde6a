import type { Config } from '../../../../src/app/config/config.ts'
import { openData as openLocally } from '../../../../src/app/source/open-data.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { LocalEngine } from '../../../../src/storage/local/local-engine.ts'
import { isInMemory } from '../../engine/in-memory.ts'
import { switchEngine } from './switched-engine.ts'

export { copyData, openFilled, reloadData } from '../../../../src/app/source/open-data.ts'

/** Instead of `src/app/source/open-data.ts`: the same data, in a schema of its own. */
export async function openData(
  config: Config,
  data: object | undefined,
  log: (line: string) => void,
  isLive = true,
  now = Date.now,
): Promise<Engine> {
  const engine = await openLocally(config, data, log, isLive)
  if (config.hosted || !(engine instanceof LocalEngine) || (data && isInMemory(data))) return engine
  const file =
    data === undefined && config.persist && /\.json$/i.test(config.source ?? '') ? config.source : undefined
  const switched = await switchEngine(engine, { file, object: isLive ? data : undefined, now })
  await switched.opened
  return switched
}
