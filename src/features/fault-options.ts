import * as z from 'zod/mini'
import { attempt } from '../core/kernel/util/attempt.ts'
import { integerType, stringType } from '../core/layers/parts/option-types.ts'
import { compilePattern, MOST_OF_PATTERN } from '../core/layers/parts/rewrite-pattern.ts'
import { options, setting } from '../core/layers/parts/setting.ts'

/** The longest delay and hang, in milliseconds: ten minutes. */
export const LONGEST_FAULT = 600_000

/** Rules at a time: every request tries all of them. */
export const MOST_RULES = 100

/** Set by Node, which throws if they do not fit the body. */
const OURS: ReadonlySet<string> = new Set(['trailer', 'transfer-encoding'])

/** How requests fail on purpose: the settings of a server, or of a scenario. */
export function faultOptions() {
  return options({
    seed: setting(
      z.union([z.number('a number or a string'), stringType('a number or a string')], 'a number or a string'),
      'The same seed and requests give the same failures',
      { without: 'random' },
    ),
    rules: setting(
      z
        .array(faultRule(), 'a list of rules')
        .check(z.maxLength(MOST_RULES, `a list of at most ${MOST_RULES} rules`)),
      'The first [rule](failures.md#rules) that matches and applies decides',
      { without: 'none' },
    ),
  })
}

function faultRule() {
  const count = (least: number) => integerType(`a whole number, ${least} or more`, least)
  return z
    .strictObject(
      {
        on: z.optional(z.boolean('true or false')).register(z.globalRegistry, { default: true }),
        match: setting(match(), 'Which requests; all by default'),
        rate: setting(
          z
            .number('a number from 0 to 1')
            .check(z.minimum(0, 'a number from 0 to 1'), z.maximum(1, 'a number from 0 to 1')),
          'The share of matching requests it applies to',
          { default: 1 },
        ),
        skip: setting(count(0), 'How many matching requests pass first'),
        times: setting(count(1), 'How many requests it applies to, at most'),
        delay: setting(delay(), 'Milliseconds to wait, or the least and the most'),
        status: setting(integerType('a status from 200 to 599', 200, 599), 'What to respond'),
        headers: setting(headers(), 'Headers of that response'),
        body: setting(z.unknown(), 'Its body: JSON, or a string sent as it is'),
        fault: setting(
          z.enum(['reset', 'empty', 'hang', 'truncate'], '"reset", "empty", "hang" or "truncate"'),
          'What happens to the connection, instead of a status',
        ),
        when: setting(
          z.literal('after', '"after"'),
          'after: the request runs first, and what it writes is saved',
        ),
      },
      'a rule, such as {"match": {"path": "/products/*"}, "status": 503}',
    )
    .check(
      z.refine(
        ({ status, fault, delay }) => status !== undefined || fault !== undefined || delay !== undefined,
        'a rule with a status, a fault or a delay: otherwise, nothing happens',
      ),
      z.refine(
        ({ status, fault }) => status === undefined || fault === undefined,
        'a rule with either a status or a fault, not both',
      ),
      z.refine(
        ({ status, headers, body }) => status !== undefined || (headers === undefined && body === undefined),
        'a rule with a status, since it has headers or a body',
      ),
    )
}

function match() {
  const must = 'a method or a list of them'
  const method = z.string('a method, such as "POST"').check(z.regex(/^[a-z]+$/i, 'a method, such as "POST"'))
  const path = stringType('a path as in rewrite rules, such as "/products/*"').check(
    z.refine(
      isPattern,
      `a path as in rewrite rules: it begins with "/", has at most ${MOST_OF_PATTERN}, and its groups and brackets are closed`,
    ),
  )
  return options({
    method: z.optional(z.union([method, z.array(method, must)], must)),
    path: z.optional(path),
  })
}

function isPattern(path: string): boolean {
  return path.startsWith('/') && attempt(() => compilePattern(path)) !== undefined
}

function delay() {
  const must = `milliseconds from 0 to ${LONGEST_FAULT}, or a list of the least and the most`
  const time = integerType(must, 0, LONGEST_FAULT)
  const range = z
    .tuple([time, time], must)
    .check(z.refine(([least, most]) => least <= most, 'a range whose first number is not above its second'))
  return z.union([time, range], must)
}

function headers() {
  const must = 'an object of header names and strings'
  const name = z.string().check(
    z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a header name'),
    z.refine((header) => !OURS.has(header.toLowerCase()), 'a header that does not say how a body is sent'),
  )
  const value = z
    .string('a string')
    .check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a string without line breaks'))
  return z.record(name, value, must)
}
