import { stringify } from 'yaml'
import { jsonLine } from './codec.ts'
import { LayoutCodec } from './layout-codec.ts'
import { fullValue, inspectYaml, parseYaml } from './parse-yaml.ts'
import { yamlLayout } from './yaml-layout.ts'

/** Long strings stay on one line, and line breaks in them are escaped: such a string fits in anywhere. */
const STYLE = { lineWidth: 0, blockQuote: false } as const

export const yaml = new LayoutCodec({
  parse(text) {
    const document = parseYaml(text)
    const { unsaved, repeated } = inspectYaml(document, text)
    if (document.contents === null) return { value: undefined, layout: undefined }
    if (unsaved !== undefined)
      return { value: fullValue(document, text), layout: undefined, unsaved, repeated }
    const layout = yamlLayout(document, text, 0)
    return { value: layout.value, layout, repeated }
  },
  split(text, column) {
    // Lines after the first have their indentation.
    const source = ' '.repeat(column) + text
    return yamlLayout(parseYaml(source), source, column)
  },
  whole: (value) => stringify(value, STYLE),
  inline(value, old = '') {
    if (typeof value !== 'string') return jsonLine(value)
    if (old.startsWith("'") && /^[^\n\r\t]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`
    return /^[A-Za-z][\w ]*$/.test(value) && !old.startsWith('"')
      ? withoutEnd(stringify(value, STYLE))
      : JSON.stringify(value)
  },
  block(name, value, indent) {
    const lines = (part: unknown) => withoutEnd(stringify(part, STYLE)).replaceAll('\n', `\n${indent}`)
    if (name === undefined) return { key: '-', text: lines([value]).slice(1) }
    return {
      key: withoutEnd(stringify({ [name]: 0 }, STYLE)).slice(0, -2),
      text: lines({ x: value }).slice(2),
    }
  },
})

/** A value may end in white space of other kinds. */
function withoutEnd(text: string): string {
  return text.replace(/\n$/, '')
}
