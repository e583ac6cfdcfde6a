import { stringify } from 'yaml'
import { type Codec, type DecodedFile, ended, keepingMarks, withoutMarks } from './codec.ts'
import { editYaml, STYLE } from './edit-yaml.ts'
import { fullValue, inspectYaml, parseYaml } from './parse-yaml.ts'
import { partOf, textOf, type YamlPart } from './yaml-parts.ts'

export const yaml: Codec = {
  read(marked) {
    const { value, unsaved, repeated } = parsed(withoutMarks(marked))
    return { value, unsaved, repeated }
  },

  write(value, before, ids) {
    return keepingMarks(before, (text) => {
      const { part } = parsed(text)
      if (!part) return ended(text) + stringify(value, STYLE)
      const edited = editYaml(part, value, ids)
      const written = textOf(edited)
      if (typeof edited.body !== 'string') remember({ text: written, value, part: edited })
      return written
    })
  },
}

interface ParsedYaml extends DecodedFile {
  readonly text: string
  /** Undefined if there is no value in the text, or one that is not saved. */
  readonly part?: YamlPart
}

const MOST_TEXTS = 4

/** Parsing is slow, and what was read or written last is nearly always changed next. */
let recent: readonly ParsedYaml[] = []

function remember(text: ParsedYaml): ParsedYaml {
  recent = [text, ...recent].slice(0, MOST_TEXTS)
  return text
}

function parsed(text: string): ParsedYaml {
  return recent.find((each) => each.text === text) ?? remember(parse(text))
}

function parse(text: string): ParsedYaml {
  const document = parseYaml(text)
  const { unsaved, repeated } = inspectYaml(document, text)
  if (document.contents === null) return { text, value: undefined }
  if (unsaved !== undefined) return { text, value: fullValue(document, text), unsaved, repeated }
  const part = partOf(document, text)
  return { text, value: part.value, part, repeated }
}
