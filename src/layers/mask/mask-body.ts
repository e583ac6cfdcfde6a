import { maskJson } from './mask-json.ts'
import { maskLoose } from './mask-loose.ts'
import { isJson, maskForm, maskText } from './mask-text.ts'

/** A body with its secrets masked, by its content rather than its content type: `curl -d` calls JSON a form. */
export function maskBody(text: string, contentType: string): string {
  if (isJson(text)) return maskJson(text, maskText)
  if (FORM.test(text)) return maskForm(text)
  const isForm = contentType.includes('urlencoded') && !/^\s*[{[<]/.test(text)
  // Truncated or never valid: quoted names first, whose escapes only the JSON pass understands.
  return maskText(maskLoose(isForm ? maskForm(text) : maskJson(text, maskText)))
}

/** Names and values without spaces, unlike prose. */
const FORM = /^[^\s=&"'{}<>]+=[^\s]*$/
