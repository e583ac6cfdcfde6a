import { stringify } from 'yaml'
import { isSameJson } from '../../json/values.ts'
import { type Codec, keepingMarks, type Reading, withoutMarks } from './codec.ts'
import { jsonLine } from './jsonc.ts'
import { type Dialect, rewriteText } from './text-tree.ts'
import { treeOf } from './yaml-rows.ts'

export const yaml: Codec = {
  read(marked): Reading {
    const { root, unsaved, value } = treeOf(withoutMarks(marked))
    return { value: root && value(), unsaved }
  },

  write(value, before) {
    return keepingMarks(before, (text) => {
      const { root } = treeOf(text)
      if (!root) return `${text}${stringify(value, STYLE)}`
      const written = rewriteText(text, root, value, DIALECT)
      return isReadBack(written, value) ? written : stringify(value, STYLE)
    })
  },
}

/** Long strings stay on one line, and line breaks in them are escaped: such a string fits in anywhere. */
const STYLE = { lineWidth: 0, blockQuote: false } as const

const DIALECT: Dialect = {
  comment: '(?<=^|[\\s,[\\]{}])#[^\\n]*',
  inline(value, old = '') {
    if (typeof value !== 'string') return jsonLine(value)
    if (old.startsWith("'") && /^[^\n\r\t]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`
    return /^[A-Za-z][\w ]*$/.test(value) && !old.startsWith('"')
      ? stringify(value, STYLE).trimEnd()
      : JSON.stringify(value)
  },
  tall: jsonLine,
  name: (name) => `${JSON.stringify(name)}: `,
  block(name, value, indent) {
    const text = stringify(name === undefined ? [value] : { [name]: value }, STYLE).trimEnd()
    return text.replaceAll('\n', `\n${indent}`)
  },
}

function isReadBack(text: string, value: unknown): boolean {
  try {
    return isSameJson(treeOf(text).root?.value, value)
  } catch {
    return false
  }
}
