import { stringify } from 'yaml'
import { type Codec, ended, keepingMarks, type Reading, withoutMarks } from './codec.ts'
import { rewriteText } from './rewrite-text.ts'
import { type Dialect, jsonLine } from './text-tree.ts'
import { treeOf } from './yaml-rows.ts'
import { parseYaml } from './yaml-tree.ts'

export const yaml: Codec = {
  read(marked): Reading {
    const { root, unsaved, value } = treeOf(withoutMarks(marked))
    return { value: root && value(), unsaved }
  },

  write(value, before, id) {
    return keepingMarks(before, (text) => {
      const { root } = treeOf(text)
      if (!root) return `${ended(text)}${stringify(value, STYLE)}`
      return rewriteText(text, root, value, {
        dialect: DIALECT,
        read: (written) => treeOf(written).root?.value,
        id,
      })
    })
  },
}

/** Long strings stay on one line, and line breaks in them are escaped: such a string fits in anywhere. */
const STYLE = { lineWidth: 0, blockQuote: false } as const

const DIALECT: Dialect = {
  lineComment: '(?<=^|[\\s,[\\]{}])#[^\\n]*',
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
  read: (text) => parseYaml(text).root?.value,
}
