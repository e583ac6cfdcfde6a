import { hides } from '../hidden/hidden-fields.ts'
import type { FieldFault } from '../resource-rules.ts'
import type { Row } from '../types.ts'
import type { CompiledRules, Pointer, Ruled } from './compiled-rules.ts'
import { FieldErrors, type Label } from './field-errors.ts'
import { Journal } from './journal.ts'

/** What a client may know of rows, and what it cannot set. */
export interface Discretion {
  sees(resource: string, row: Row): boolean
  isFixed(resource: string, field: string): boolean
}

/** One change under the rules: what it did so far, and what schemas find wrong with it. */
export class Ruling {
  readonly rules: CompiledRules
  readonly journal = new Journal()
  readonly faults = new FieldErrors('VALIDATION_FAILED')
  /** Where the current part of a batch stands: `2.`. */
  prefix = ''
  readonly #discretion: Discretion | undefined
  #now: string | undefined

  /** @param discretion for a client that may not know of all rows */
  constructor(rules: CompiledRules, discretion?: Discretion) {
    this.rules = rules
    this.#discretion = discretion
  }

  /** Whether the client may know that this row is there. */
  maySay(resource: string, row: Row): boolean {
    return this.#discretion?.sees(resource, row) ?? true
  }

  /** Whether a field may point at this row: a client can only name what it may know of; the server names the owner. */
  mayName(pointer: Pointer, row: Row): boolean {
    const { collection, field, resource } = pointer
    return this.maySay(resource, row) || this.#discretion?.isFixed(collection, field) === true
  }

  /** All rows of one change are changed at the same moment. */
  get now(): string {
    this.#now ??= this.rules.now().toISOString()
    return this.#now
  }

  of(resource: string): Ruled | undefined {
    return this.rules.of(resource)
  }

  /** @param at its place in a list that the client sent */
  label(at?: number): Label {
    return { prefix: at === undefined ? this.prefix : `${this.prefix}${at}.` }
  }

  /**
   * Notes a row that was inserted, and what is wrong with it.
   * @param judged the same with what it hides as it was sent
   */
  noteInsertion(collection: string, row: Row, label: Label, judged = row): void {
    this.check(collection, row, label, judged)
    this.#note(label, this.of(collection)?.faultsOf?.(row, undefined, true))
    this.journal.noteInsertion(collection, row, label)
  }

  /** @param isWhole whether the client sent all its fields */
  noteReplacement(
    collection: string,
    old: Row,
    next: Row,
    label: Label,
    { judged = next, isWhole = false }: { judged?: Row; isWhole?: boolean } = {},
  ): void {
    this.check(collection, next, label, judged)
    this.#note(label, this.of(collection)?.faultsOf?.(next, old, isWhole))
    this.journal.noteReplacement(collection, old, next, label)
  }

  /** Notes what is wrong with a row or an object. */
  check(resource: string, row: Row, label: Label, judged = row): void {
    for (const fault of this.of(resource)?.schema?.faultsOf(judged) ?? []) {
      // What is hidden and stays as it is was judged when it was sent.
      if (judged !== row || !hides(row, fault.path)) this.faults.add(label, fault)
    }
  }

  #note(label: Label, faults: readonly FieldFault[] = []): void {
    for (const fault of faults) this.faults.add(label, fault)
  }
}
