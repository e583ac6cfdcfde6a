interface Store<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value stored under a key. A missing one is made, and stored. */
export function getOrMake<Key, Value>(store: Store<Key, Value>, key: Key, make: () => Value): Value {
  const stored = store.get(key)
  if (stored !== undefined) return stored
  const made = make()
  store.set(key, made)
  return made
}
