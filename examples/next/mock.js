import { open } from 'restable'

// Next loads this file once for each page and route, and again when it changes.
globalThis.api ??= open({ source: 'db.json', base: '/api' })
export const api = await globalThis.api
