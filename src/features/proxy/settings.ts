import * as z from 'zod/mini'
import { integerType, stringListType, stringType } from '../../core/layers/parts/option-types.ts'
import { options, setting } from '../../core/layers/parts/setting.ts'
import { LONGEST_WAIT } from '../../core/layers/parts/wait.ts'

/** Who answers: the data, or the API. */
export const MODES = ['local', 'missing', 'fill', 'record', 'through'] as const
export type Mode = (typeof MODES)[number]

const MODE = `one of ${MODES.map((mode) => `"${mode}"`).join(', ')}`
const TARGET = 'an http(s) URL without a query, such as https://api.example.com/v2'
const HEADERS = 'an object of headers, such as { "Authorization": "$API_TOKEN" }'

export const PROXY_DEFAULTS = { timeoutMs: 30_000, maxBytes: 10 * 1024 * 1024 }

export const proxySettings = {
  proxy: setting(proxyOptions(), 'The [real API](proxy.md) behind the data', {
    without: 'none',
    examples: [{ target: 'https://api.example.com/v2', mode: 'missing' }],
    isMerged: true,
  }),
}

function proxyOptions() {
  return options({
    target: setting(
      z.string(TARGET).check(z.regex(/^https?:\/\/[^\s?#@]+$/i, TARGET), z.refine(URL.canParse, TARGET)),
      'URL of the API',
      {
        flag: {
          name: 'proxy',
          about: 'URL of an API that answers what is not in the data',
          example: 'https://api.example.com/v2',
        },
      },
    ),
    mode: setting(z.enum(MODES, MODE), '[Who answers](proxy.md#who-answers)', {
      default: 'missing',
      flag: { name: 'record', value: 'record', about: 'With --proxy: the API answers, and is recorded' },
    }),
    resources: setting(
      z.record(z.string(), z.enum(MODES, MODE), 'an object of resources and their modes'),
      'Modes of single resources',
    ),
    headers: setting(
      z.record(
        z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'the name of a header')),
        stringType('text; $NAME stands for an environment variable'),
        HEADERS,
      ),
      'Headers for the API; `$NAME` stands for an environment variable',
    ),
    redact: setting(
      stringListType('a list of fields, such as ["email", "customers.phone"]'),
      'Fields whose values become [others of their kind](proxy.md#secrets) in what is kept',
    ),
    timeoutMs: setting(
      integerType('a number of milliseconds', 1, LONGEST_WAIT),
      'Milliseconds that the API may take',
      { default: PROXY_DEFAULTS.timeoutMs },
    ),
    maxBytes: setting(integerType('a number of bytes', 1, 64 * 1024 * 1024), 'Largest answer that is kept', {
      default: PROXY_DEFAULTS.maxBytes,
    }),
    secure: setting(z.boolean('true or false'), 'Whether certificates of the API are verified', {
      default: true,
    }),
  })
}
