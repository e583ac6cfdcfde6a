import { maskJson } from './mask-json.ts'
import { maskLoose } from './mask-loose.ts'
import { isJson, maskForm, maskText } from './mask-text.ts'

/** A body with its secrets masked, by what it is more than by what it is called: `curl -d` calls JSON a form. */
export function maskBody(text: string, contentType: string): string {
  if (isJson(text)) return maskJson(text, maskText)
  if (FORM.test(text)) return maskForm(text)
  const isForm = contentType.includes('urlencoded') && !/^\s*[{[<]/.test(text)
  // What was cut off or never valid: quoted names first, whose escapes only JSON knows.
  return maskText(maskLoose(isForm ? maskForm(text) : maskJson(text, maskText)))
}

/** Names and values without a space, as no prose is. */
const FORM = /^[^\s=&"'{}<>]+=[^\s]*$/
