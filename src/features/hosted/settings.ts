import * as z from 'zod/mini'
import { stringType } from '../../core/layers/parts/option-types.ts'
import { setting } from '../../core/layers/parts/setting.ts'

export const hostedSettings = {
  hosted: setting(hostedOptions(), 'Serve fixed examples: the [hosted variant](hosted.md)', {
    without: 'none',
    examples: ['public', { variant: 'private', key: 'hosted-private-key-001' }],
    flag: { choices: ['public', 'private'] },
    isMerged: true,
    dataOf: (hosted) => `the ${Object(hosted).variant} hosted mock`,
  }),
}

function hostedOptions() {
  const must = '"public", "private" or an object with variant and key'
  const variant = z.enum(['public', 'private'], must)
  const options = z
    .strictObject(
      {
        variant: setting(z.enum(['public', 'private'], '"public" or "private"'), 'Which of them', {
          without: '`public`, or `private` with a key',
        }),
        key: setting(stringType('the key that clients send'), 'The key that clients send', {
          without: '`hosted-private-key-001`',
        }),
      },
      must,
    )
    .check(
      z.overwrite(({ key, variant = key === undefined ? 'public' : 'private' }) => ({
        variant,
        ...(key !== undefined && { key }),
      })),
    )
  return z.union(
    [
      z.pipe(
        variant,
        z.transform((word: 'public' | 'private'): z.output<typeof options> => ({ variant: word })),
      ),
      options,
    ],
    must,
  )
}
