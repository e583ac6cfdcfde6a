import { basename, extname } from 'node:path'
import type { Database } from '../../core/engine/data/database.ts'
import { Unstorable } from '../../core/engine/data/store.ts'
import { Table } from '../../core/engine/data/table.ts'
import type { Data } from '../../core/engine/types.ts'
import { type IdNames, idsOf } from '../formats/align.ts'
import type { CsvLineStyle } from '../formats/csv-cells.ts'
import { unfinishedAt } from '../formats/csv-fields.ts'
import { type FileFormat, formatOf, isListFormat } from '../formats/formats.ts'
import {
  decodeText,
  invalid,
  type ParsedDocument,
  parseDocument,
  parseLongDocument,
} from '../formats/load.ts'
import { ndjson } from '../formats/ndjson.ts'
import { Serializer } from '../formats/serialize.ts'
import type { CodecJob } from '../formats/translate.ts'
import { AppendedLines } from './appended-lines.ts'
import { type ContentKind, KINDS, kindOf, namesIn } from './content-kind.ts'

const NEWLINE = Buffer.from('\n')

/** Where half of a file can be read, too. */
const HALVES: ReadonlySet<FileFormat> = new Set(['csv', 'yaml'])

/** The content of a file: its bytes as data, and data as its bytes. */
export class FileContent {
  /** For messages, which clients see: without its folder. */
  readonly name: string
  readonly format: FileFormat
  /** Why changes are not saved, if so. */
  unsaved: string | undefined
  /** Whether it ends in rows that a crash cut short. */
  isCutShort = false
  /** A warning about the file, for the start. */
  remark: string | undefined
  /** A warning about numbers that change once they are read, or saved. */
  rounded: string | undefined
  protected readonly stem: string
  /** Where the next row goes, if rows are lines. */
  protected lines: AppendedLines | undefined
  readonly #isAlone: boolean
  #layout: ContentKind | undefined
  /** Of what was parsed last, which may not have been accepted. */
  #seen: ContentKind | undefined
  #seenRounded: string | undefined
  #serializer: Serializer | undefined
  #endsWithNewline = false
  #writtenLines: AppendedLines | undefined

  /**
   * @param isAlone whether it is all of the data: then an object in it is always one of collections and objects
   * @param layout of a file that is not there yet
   */
  constructor(path: string, isAlone: boolean, layout?: ContentKind) {
    this.name = basename(path)
    this.format = formatOf(path) ?? 'json'
    this.stem = basename(path, extname(path))
    this.#isAlone = isAlone
    this.#layout = layout
  }

  /** The one resource that it is for; undefined if it holds them by name. */
  get resource(): string | undefined {
    const layout = this.#layout ?? (this.#isAlone && !isListFormat(this.format) ? 'database' : 'list')
    return layout === 'database' ? undefined : this.stem
  }

  /** Of JSON. As in json-server, an empty file is an empty database. */
  protected parseSync(bytes: Buffer): Data {
    const text = this.#textOf(bytes) || this.#nothing()
    return this.#dataOf(parseDocument(text, this.name, (value) => this.#arrange(value)))
  }

  /** @param isLeft whether nobody is about to finish a row that is cut short: then it is left out */
  protected async parse(bytes: Buffer, isLeft = false): Promise<Data> {
    const text = this.#textOf(bytes)
    const isFirst = this.#layout === undefined
    if (this.format === 'json') {
      const whole = isFirst && !this.#isAlone ? text || this.#nothing() : text
      return this.#parseLong(whole)
    }
    const read = await this.#translate({ format: this.format, text })
    const { json, unsaved, wholeUpTo, repeated, lineStyle } = read
    this.isCutShort = wholeUpTo !== undefined
    // A line that another program is just writing: soon it is whole.
    if (this.isCutShort && !isFirst && !isLeft) {
      const remedy = 'Finish that line, or remove it. If no program writes to it, the next change cuts it off'
      throw invalid(`${this.name} ends in the middle of a row. ${remedy}.`)
    }
    if (json === undefined && !isFirst) throw invalid(`${this.name} is empty.`)
    this.unsaved = unsaved
    this.remark = remarkOn(this.format, bytes.length, this.isCutShort, repeated)
    const data = await this.#parseLong(json ?? this.#nothing(), text)
    // A row that was cut short is left out when the file is replaced: what others append after it must stay.
    this.lines = this.isCutShort ? undefined : this.#linesOf(bytes, lineStyle)
    return data
  }

  /** A program that is just writing the file has hardly come to the end of a line. */
  protected mayGoOn(bytes: Buffer): boolean {
    const isCut = HALVES.has(this.format) && this.#endsWithNewline && bytes.at(-1) !== NEWLINE[0]
    return bytes.length === 0 || isCut
  }

  /** Records that the file holds what was parsed last. */
  protected accept(bytes: Buffer): void {
    this.#endsWithNewline = bytes.at(-1) === NEWLINE[0]
    this.#layout ??= this.#seen
    const rounded = this.#seenRounded
    this.rounded = rounded && `has numbers that JavaScript cannot hold: ${rounded}. Put them in quotes.`
  }

  /** Without rows that were cut short. */
  protected wholeLength(bytes: Buffer): number {
    const text = this.#textOf(bytes)
    const wholeUpTo = this.format === 'csv' ? unfinishedAt(text) : ndjson.read(text).wholeUpTo
    return Buffer.byteLength(text.slice(0, wholeUpTo))
  }

  /**
   * @param before what is there, for formats that keep some of it
   * @param ids the fields that tell rows apart
   */
  protected async write(
    database: Database,
    before: () => Promise<Buffer | undefined>,
    ids: IdNames | undefined,
  ): Promise<readonly Uint8Array[]> {
    const { resource } = this
    if (!this.#isAlone) this.#assertReadAlike(database)
    this.#serializer ??= new Serializer(resource === undefined ? 1 : 0)
    const json =
      resource === undefined
        ? await this.#serializer.serialize(database)
        : await this.#serializer.part(database.parts.get(resource) ?? (this.#layout === 'object' ? {} : []))
    if (this.format === 'json') return this.#endsWithNewline ? [...json, NEWLINE] : json
    const old = await before()
    const text = old ? this.#textOf(old) : ''
    const job = { format: this.format, text, json: Buffer.concat(json).toString(), ids: idsOf(resource, ids) }
    const { text: written = '', lineStyle } = await this.#translate(job)
    const bytes = Buffer.from(written)
    this.#endsWithNewline = bytes.at(-1) === NEWLINE[0]
    this.#writtenLines = this.#linesOf(bytes, lineStyle)
    return [bytes]
  }

  /** Records that the file holds what was written last. */
  protected acceptWritten(): void {
    this.lines = this.#writtenLines
    const rounded = this.format === 'json' ? this.#seenRounded : undefined
    this.rounded = rounded && `was saved with other numbers than it had: ${rounded} now.`
    this.#seenRounded = undefined
  }

  #linesOf(bytes: Buffer, style: CsvLineStyle | undefined): AppendedLines | undefined {
    const isCsv = style !== undefined && bytes.at(-1) === NEWLINE[0]
    return this.format === 'ndjson' || isCsv ? new AppendedLines(bytes, style) : undefined
  }

  /** Throws if the file would be read as another kind of content. An empty one cannot be mistaken. */
  #assertReadAlike({ parts }: Database): void {
    const [kind, value] =
      this.resource === undefined
        ? (['database', namesIn(parts)] as const)
        : (['object', parts.get(this.resource)] as const)
    if (value === undefined || value instanceof Table) return
    const layout = kindOf(value, false)
    if (layout === kind) return
    const message = `${this.name} held ${KINDS[kind]}, and would now hold ${KINDS[layout]}. To serve that, edit it and restart.`
    throw new Unstorable(message)
  }

  async #translate(job: CodecJob) {
    const { translate } = await import('../formats/translate.ts')
    return translate(job, this.name)
  }

  /** With the byte order mark, which a save keeps, unless it is JSON. */
  #textOf(bytes: Buffer): string {
    const whole = this.format === 'ndjson' ? withoutCutCharacter(bytes) : bytes
    const text = decodeText(whole, this.name)
    return this.format === 'json' ? (text.trim() === '' ? '' : text) : whole.toString()
  }

  #nothing(): string {
    return this.#isAlone && !isListFormat(this.format) ? '{}' : '[]'
  }

  async #parseLong(text: string, written = text): Promise<Data> {
    // At the start, nobody waits.
    const parse = this.#layout === undefined ? parseDocument : parseLongDocument
    return this.#dataOf(await parse(text, this.name, (value) => this.#arrange(value), written))
  }

  #dataOf({ data, rounded }: ParsedDocument): Data {
    // Other formats keep what is not changed as it is written, NDJSON only the lines of other rows.
    this.#seenRounded = this.format === 'json' || this.format === 'ndjson' ? rounded : undefined
    return data
  }

  /** The data of what the file holds. While a server runs, it stays of one kind. */
  #arrange(value: unknown): unknown {
    const layout = kindOf(value, this.#isAlone)
    this.#seen = layout
    if (this.#layout !== undefined && layout !== this.#layout) {
      if (this.#layout === 'database') return value
      throw invalid(
        `${this.name} held ${KINDS[this.#layout]}, and now ${KINDS[layout]}. Restart to serve that.`,
      )
    }
    return layout === 'database' ? value : { [this.stem]: value }
  }
}

const LARGE = 1_000_000

function remarkOn(
  format: FileFormat,
  bytes: number,
  isCutShort: boolean,
  repeated: string | undefined,
): string | undefined {
  if (isCutShort) return 'ended in the middle of a row, as after a crash: that row is left out.'
  if (repeated !== undefined) return `repeats ${repeated}: only the last one is served. Merge or rename them.`
  if (format === 'ndjson' || bytes <= LARGE) return undefined
  return `has ${(bytes / 1_000_000).toFixed(1)} MB: as plain JSON, it would be read and saved faster.`
}

/** A row that was cut short may end within a character, whose first byte says how many it has. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
