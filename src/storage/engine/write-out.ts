import { Serializer } from '../json/serialize.ts'
import type { Engine } from './engine.ts'

/** All data as JSON, as it is stored now. */
export async function writeOut(engine: Engine): Promise<readonly Uint8Array[]> {
  await engine.catchUp()
  return new Serializer().serialize(engine.database)
}
