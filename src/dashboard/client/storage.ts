/** Keeps a text in the tab until it is closed. Without storage, the page starts afresh after a reload. */
export function store(place: string, text: string | undefined, storage = () => sessionStorage): void {
  try {
    if (text === undefined) storage().removeItem(place)
    else storage().setItem(place, text)
  } catch {
    // The user has turned storage off.
  }
}

export function restore(place: string, storage = () => sessionStorage): string | undefined {
  try {
    return storage().getItem(place) ?? undefined
  } catch {
    return undefined
  }
}
