import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Another client of the server: keeps requesting something small on new connections, and reports
 * its longest wait at the end. In a separate thread, so that a busy test does not count.
 * JavaScript, because threads do not compile TypeScript.
 */
const { port, path, pid } = workerData
/** In milliseconds: little of the longest wait can be missed, and the server has better things to do. */
const PAUSE = 20

let isOver = false
let longest = 0
let count = 0

parentPort?.once('message', () => {
  isOver = true
})

while (!isOver) {
  const [asked, before] = [performance.now(), lost()]
  await ask()
  const waited = performance.now() - asked
  longest = Math.max(longest, waited - (lost() - before))
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

/**
 * How long the server could not go on though it was ready, in milliseconds: others had the cores, or the host had taken
 * them from this virtual machine. Only Linux tells; elsewhere, nothing else may run beside this.
 * @returns {number}
 */
function lost() {
  try {
    return queued() + stolen()
  } catch {
    return 0
  }
}

/** The main thread's time in the queue for a core. */
function queued() {
  // Its time on a core, its time in the queue for one, and its turns.
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6
}

/** The time taken from the core that lost most, in steps of 10 ms. */
function stolen() {
  const cores = readFileSync('/proc/stat', 'latin1').matchAll(/^cpu\d+ (.*)$/gm)
  return Math.max(0, ...Array.from(cores, ([, times = '']) => Number(times.split(' ')[7]) * 10))
}
