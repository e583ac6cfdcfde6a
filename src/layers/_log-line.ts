import type { IncomingMessage } from 'node:http'
import { ConfigError } from '../errors.ts'
import { maskUrl } from './_secrets.ts'

/** Takes what is to be logged: one or more lines, with no newline at the end. */
export type Print = (lines: string) => void

/** Where a layer's lines go: the given function, or the console. */
export function checkPrint(layer: string, print: Print = console.log): Print {
  if (typeof print === 'function') return print
  throw new ConfigError(`${layer}.print must be a function that takes lines`)
}

/** The URL that the client sent, fit to be kept: secrets masked, nothing in it that moves a terminal. */
export function safeUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return printable(maskUrl(req.originalUrl ?? req.url ?? ''))
}

/** Spells out control characters, so that no text can forge a line or colour the terminal. */
export function printable(text: string): string {
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Gathers lines and prints them together a moment later: one write for many requests, and none in their way. */
export function printInBatches(print: Print): { write(line: string): void } {
  let waiting = ''
  function flush(): void {
    const lines = waiting.slice(0, -1)
    waiting = ''
    print(lines)
  }
  return {
    write(line) {
      // The timer keeps the process up until the last line is out.
      if (waiting === '') setTimeout(flush, BATCH_MS)
      waiting += line
    },
  }
}

/** Too short for an eye at the terminal. */
const BATCH_MS = 20

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the log.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g
