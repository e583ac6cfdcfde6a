import { hides } from '../hidden/hidden-fields.ts'
import type { Row } from '../types.ts'
import type { CompiledRules, Ruled } from './compiled-rules.ts'
import { FieldErrors, type Label } from './field-errors.ts'
import { Journal } from './journal.ts'

/** One change under the rules: what it did so far, and what schemas find wrong with it. */
export class Ruling {
  readonly rules: CompiledRules
  readonly journal = new Journal()
  readonly faults = new FieldErrors('VALIDATION_FAILED')
  /** Where the current part of a batch stands: `2.`. */
  prefix = ''
  #now: string | undefined

  constructor(rules: CompiledRules) {
    this.rules = rules
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
    this.journal.noteInsertion(collection, row, label)
  }

  noteReplacement(collection: string, old: Row, next: Row, label: Label, judged = next): void {
    this.check(collection, next, label, judged)
    this.journal.noteReplacement(collection, old, next, label)
  }

  /** Notes what is wrong with a row or an object. */
  check(resource: string, row: Row, label: Label, judged = row): void {
    for (const fault of this.of(resource)?.schema?.faultsOf(judged) ?? []) {
      // What is hidden and stays as it is was judged when it was sent.
      if (judged !== row || !hides(row, fault.path)) this.faults.add(label, fault)
    }
  }
}
