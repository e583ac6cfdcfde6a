/** Letters to add, remove, replace or swap with their neighbor; undefined if more than `most`. */
export function editDistance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let [older, before]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const cost = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (older[j - 2] ?? 0) + 1 : most + 1,
      )
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return undefined
    ;[older, before] = [before, row]
  }
  const distance = before[b.length] ?? 0
  return distance <= most ? distance : undefined
}
