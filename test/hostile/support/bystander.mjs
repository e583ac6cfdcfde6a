import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Another client of the server: keeps requesting something small on new connections, and reports
 * its longest wait at the end. In a separate thread, so that a busy test does not count.
 * JavaScript, because threads do not compile TypeScript.
 */
const { port, path } = workerData
const PAUSE = 5

let isOver = false
let longest = 0
let count = 0

parentPort?.once('message', () => {
  isOver = true
})

while (!isOver) {
  const asked = performance.now()
  await ask()
  longest = Math.max(longest, performance.now() - asked)
  count += 1
  if (count === 1) parentPort?.postMessage('ready')
  await sleep(PAUSE)
}
parentPort?.postMessage({ longest, count })
parentPort?.close()

/** Resolves when the server has answered and closed. @returns {Promise<void>} */
function ask() {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.resume()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
  })
}
