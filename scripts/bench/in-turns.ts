/** What both sides gave, round by round. */
export interface Turns<T> {
  readonly ours: readonly T[]
  readonly rival: readonly T[]
}

/** One after the other, again and again: what slows the machine down for a while slows both. */
export async function inTurns<T>(
  rounds: number,
  ours: () => Promise<T>,
  rival: () => Promise<T>,
): Promise<Turns<T>> {
  const seen: { ours: T[]; rival: T[] } = { ours: [], rival: [] }
  for (let round = 0; round < rounds; round++) {
    seen.ours.push(await ours())
    seen.rival.push(await rival())
  }
  return seen
}
