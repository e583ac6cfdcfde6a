import { type Codec, type DecodedFile, ended, keepingMarks, withoutMarks } from './codec.ts'
import { LayoutEditor } from './edit-layout.ts'
import { type Syntax, type TextLayout, textOf } from './layout.ts'

/** A format with comments. */
interface CommentedFormat extends Syntax {
  /** Throws a `FormatFault`. */
  parse(text: string): ParsedText
  /** A value, written by itself. */
  whole(value: unknown): string
}

interface ParsedText extends DecodedFile {
  /** Undefined if there is no value in the text. */
  readonly layout: TextLayout | undefined
}

const MOST_TEXTS = 4

/** Reads texts with comments, and changes them. What was read or written last is nearly always changed next: it stays parsed. */
export class LayoutCodec implements Codec {
  readonly #format: CommentedFormat
  #recent: readonly { readonly text: string; readonly parsed: ParsedText }[] = []

  constructor(format: CommentedFormat) {
    this.#format = format
  }

  read(marked: string): DecodedFile {
    const { layout: _, ...reading } = this.#parse(withoutMarks(marked))
    return reading
  }

  write(value: unknown, before: string, id?: string): string {
    return keepingMarks(before, (text) => {
      const { layout } = this.#parse(text)
      if (!layout) return ended(text) + this.#format.whole(value)
      const editor = new LayoutEditor(this.#format, text, id)
      const of = this.#format.block && 'whole'
      const edited = editor.edit(layout, value, { depth: 0, column: 0, indent: '', of })
      const written = textOf(edited)
      this.#remember(written, { value, layout: edited })
      return written
    })
  }

  #parse(text: string): ParsedText {
    const known = this.#recent.find((each) => each.text === text)
    return known?.parsed ?? this.#remember(text, this.#format.parse(text))
  }

  #remember(text: string, parsed: ParsedText): ParsedText {
    this.#recent = [{ text, parsed }, ...this.#recent].slice(0, MOST_TEXTS)
    return parsed
  }
}
