/** The names that paths are made of, as a tree. */
export interface Names {
  readonly parts: ReadonlyMap<string, Names>
  /** Whether a path ends here. */
  readonly isEnd: boolean
}

interface Growing extends Names {
  readonly parts: Map<string, Growing>
  isEnd: boolean
}

export function namesOf(paths: readonly string[]): Names {
  const all: Growing = { parts: new Map(), isEnd: false }
  for (const path of paths) {
    // A field may have a name with dots.
    enter(all, path).isEnd = true
    path.split('.').reduce(enter, all).isEnd = true
  }
  return all
}

/** What is said of all entries of a list; the same names if there are no numbers among them. */
export function withoutNumbers(names: Names): Names {
  const others = [...names.parts].filter(([name]) => !/^\d+$/.test(name))
  return others.length === names.parts.size ? names : { parts: new Map(others), isEnd: false }
}

function enter({ parts }: Growing, name: string): Growing {
  const known = parts.get(name)
  if (known) return known
  const next: Growing = { parts: new Map(), isEnd: false }
  parts.set(name, next)
  return next
}
