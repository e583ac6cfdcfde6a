const here = new WeakSet<object>()

/** Data that is served from memory wherever the tests have theirs (`RESTABLE_ENGINE`): what other engines are compared with. */
export function inMemory<T extends object>(data: T): T {
  here.add(data)
  return data
}

export function isInMemory(data: object): boolean {
  return here.has(data)
}
