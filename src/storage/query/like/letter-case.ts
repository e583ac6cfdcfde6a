import { type CharSet, single, union } from './char-set.ts'

/**
 * Folds a code unit for case-insensitive comparison: JavaScript's rule for the flag `i`. Letters with
 * no single capital (ß) are unchanged, and nothing outside ASCII becomes ASCII (ſ is not s, K is not k).
 */
export function canonical(unit: number): number {
  return cases().canonical[unit] ?? unit
}

/** The set plus all units that differ from its own only in case. */
export function ignoringCase(set: CharSet): CharSet {
  const found = done.get(set) ?? withOtherCases(set)
  done.set(set, found)
  return found
}

/** Cached, because the sets of escapes like `\W` recur in many patterns, and are large. */
const done = new WeakMap<CharSet, CharSet>()

function withOtherCases(set: CharSet): CharSet {
  const { groups } = cases()
  const added: CharSet[] = []
  for (const [low, high] of set) {
    if (high - low < groups.size) {
      for (let unit = low; unit <= high; unit += 1) added.push(groups.get(unit) ?? [])
    } else {
      for (const [unit, group] of groups) if (unit >= low && unit <= high) added.push(group)
    }
  }
  return union(set, ...added)
}

interface Cases {
  readonly canonical: Uint16Array
  /** For each unit with case variants, all of them. */
  readonly groups: ReadonlyMap<number, CharSet>
}

let known: Cases | undefined

/** Built lazily: it takes some milliseconds. */
function cases(): Cases {
  known ??= findCases()
  return known
}

function findCases(): Cases {
  const table = new Uint16Array(0x10000)
  const groups = new Map<number, CharSet>()
  for (let unit = 0; unit < table.length; unit += 1) {
    const capital = toCapital(unit)
    table[unit] = capital
    if (capital === unit) continue
    groups.set(capital, union(groups.get(capital) ?? single(capital), single(unit)))
  }
  for (const group of [...groups.values()]) {
    for (const [low, high] of group) for (let unit = low; unit <= high; unit += 1) groups.set(unit, group)
  }
  return { canonical: table, groups }
}

function toCapital(unit: number): number {
  const text = String.fromCharCode(unit).toUpperCase()
  const capital = text.charCodeAt(0)
  return text.length !== 1 || (unit >= 0x80 && capital < 0x80) ? unit : capital
}
