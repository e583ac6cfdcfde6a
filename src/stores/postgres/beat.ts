const PARTS = 3

/**
 * Sends something now and then: on a connection of its own to notice a silent database, as a network that drops everything
 * closes no connection, and in a transaction so that the database does not take this process for hung. Returns how to stop.
 */
export function beat(send: () => Promise<unknown>, patienceMs: number, onSilence: () => void): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const sendLater = () => {
    timer = setTimeout(sendNow, patienceMs / PARTS).unref()
  }
  const sendNow = () => {
    let hasResponse = false
    timer = setTimeout(() => {
      // If this process hung, the response has arrived already, and is read before this.
      setImmediate(() => {
        if (!hasResponse && !isStopped) onSilence()
      })
    }, patienceMs).unref()
    const onResponse = () => {
      hasResponse = true
      clearTimeout(timer)
      if (!isStopped) sendLater()
    }
    send().then(onResponse, () => {})
  }
  sendLater()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
