/** Settles as `work` does, or rejects with the signal's reason if that is aborted before. Retains nothing of work that is done. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(signal.reason)
    signal.addEventListener('abort', fail)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', fail))
  })
}
