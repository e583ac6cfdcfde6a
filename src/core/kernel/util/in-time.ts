/** Resolves as `work` does, if that takes no longer than `ms`; else rejects with `late`. Keeps the process alive meanwhile. */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}
