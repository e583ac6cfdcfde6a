import type { Row } from './types.ts'

/** Up to so many paths it is quicker to ask the rows about each than to gather all that they have. */
const FEW = 20

/**
 * Tells which paths any row has. Where many are asked for, the names of fields are gathered once: a query may
 * name thousands that do not exist, and each would go through all the rows in vain.
 * @param ask tells it of one path, going through the rows
 */
export function knownPaths(
  rows: readonly (Row | undefined)[],
  count: number,
  ask: (path: string) => boolean,
): (path: string) => boolean {
  if (count <= FEW) return ask
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(Object(row))) names.add(name)
  return (path) => names.has(path) || (/[.[]/.test(path) && ask(path))
}
