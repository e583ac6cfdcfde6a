/** Stores a text in the tab until it is closed; undefined deletes it. */
export function store(key: string, text: string | undefined, storage = () => sessionStorage): void {
  try {
    if (text === undefined) storage().removeItem(key)
    else storage().setItem(key, text)
  } catch {
    // Storage may be turned off.
  }
}

export function restore(key: string, storage = () => sessionStorage): string | undefined {
  try {
    return storage().getItem(key) ?? undefined
  } catch {
    return undefined
  }
}
