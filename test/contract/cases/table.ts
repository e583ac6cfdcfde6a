import type { Departure } from '../../support/oracle/compare.ts'
import type { Case, Step } from '../../support/oracle/contract.ts'
import type { Data, Setup } from '../../support/oracle/servers.ts'
import type { DifferenceId } from '../differences.ts'

export type ContractStep = Step<DifferenceId>
export type ContractCase = Case<DifferenceId>

/** Requests that change nothing, so that one pair of servers answers them all. */
export interface Readings {
  readonly title: string
  readonly data: Data
  readonly setup?: Setup
  readonly steps: readonly ContractStep[]
}

/** What a request with a JSON body says of it. */
export const json = { 'content-type': 'application/json' }

/** A case under its name. */
export function story(name: string, data: Data, ...steps: readonly ContractStep[]): ContractCase {
  return { name, data, steps }
}

/** A GET; with a difference, what we answer instead. */
export function get(
  path: string,
  id?: DifferenceId | readonly DifferenceId[],
  ours?: Departure,
): ContractStep {
  const step = { method: 'GET', path }
  return id === undefined ? step : { ...step, differs: { id, ...ours } }
}

/** A request with a JSON body. */
export function send(
  method: string,
  path: string,
  body: unknown,
  differs?: ContractStep['differs'],
): ContractStep {
  const step = { method, path, headers: json, body: JSON.stringify(body) }
  return differs === undefined ? step : { ...step, differs }
}

/** A DELETE. */
export function remove(path: string, differs?: ContractStep['differs']): ContractStep {
  return differs === undefined ? { method: 'DELETE', path } : { method: 'DELETE', path, differs }
}

/** A POST under a parent, and the list there. 0.17.4 sends a Location that nothing answers at; the rest is alike. */
export function nestedPost(path: string, body: string, location = '/comments/3'): ContractStep[] {
  const id = /"id":(\d+)}/.exec(body)?.[1]
  const made = id === undefined ? location : `/comments/${id}`
  const differs = { id: 'location' as const, headers: { location: `http://HOST${made}` } }
  return [{ method: 'POST', path, headers: json, body, differs }, get(path)]
}
