import { pageAt } from '../page/pages.ts'

/** The program in a section of a page, as it is shown. */
export function codeOf(path: string, heading: string, language: string): string {
  const { parts } = pageAt(path)
  const start = parts.findIndex((part) => part.kind === 'heading' && part.text === heading)
  const next = parts.findIndex((part, at) => at > start && part.kind === 'heading')
  const section = parts.slice(start, next === -1 ? parts.length : next)
  const [fence, ...others] = section.filter((part) => part.kind === 'fence' && part.language === language)
  if (start === -1 || fence?.kind !== 'fence' || others.length > 0) {
    throw new Error(`${path} should have one ${language} block under "${heading}"`)
  }
  return fence.text
}
