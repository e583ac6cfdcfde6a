import * as z from 'zod/mini'
import { integerType, listOf, stringType } from '../../core/layers/parts/option-types.ts'
import { setting } from '../../core/layers/parts/setting.ts'

export const UPLOADS = { dir: 'uploads', maxBytes: 10_485_760, maxFiles: 20, path: '/uploads' }

const MUST = 'true, false, a folder, or an object with dir, maxBytes, maxFiles, types and path'
const DIR = 'a folder, and no data file: write restable db.json --uploads'
const PATH = 'a path such as "/uploads" (letters, digits, ".", "_" and "-"; no "/" at the end)'
const TYPE = 'a media type such as "image/*" or "application/pdf"'

export const uploadsSettings = {
  uploads: setting(uploadOptions(), 'Take [files in forms](uploads.md), and keep them in this folder', {
    without: 'none',
    examples: [true, { dir: 'files', types: ['image/*'] }],
    flag: { isBare: true, example: 'uploads' },
  }),
}

function uploadOptions() {
  // A flag without a value is the empty text.
  const isFolder = z.refine<string>((name) => !/\.(?:jsonc?|json5|ya?ml|csv|ndjson)$/i.test(name), DIR)
  const dir = stringType(DIR).check(isFolder)
  const bytes = integerType('a number of bytes from 1 to 100000000000', 1, 100_000_000_000)
  const count = integerType('a whole number from 1 to 100000', 1, 100_000)
  const options = z.strictObject(
    {
      dir: setting(dir, 'Folder for the files, beside the data', { default: UPLOADS.dir }),
      maxBytes: setting(bytes, 'The most bytes of a file', { default: UPLOADS.maxBytes }),
      maxFiles: setting(count, 'The most files in a request', { default: UPLOADS.maxFiles }),
      types: setting(
        listOf(/^[a-z]+\/(?:\*|[\w.+-]+)$/, 'a list of media types', TYPE),
        'Types of files that are taken, by their first bytes',
        { without: 'any' },
      ),
      path: setting(
        z.string(PATH).check(z.regex(/^(?:\/(?!__|\.{1,2}(?:\/|$))[\w.-]+)+$/, PATH)),
        'Path of the URLs of files',
        { default: UPLOADS.path },
      ),
    },
    MUST,
  )
  const text = z.string(DIR).check(isFolder)
  const word = z.union([z.boolean(MUST), text], MUST)
  const named = z.transform((value: boolean | string): false | z.output<typeof options> => {
    if (typeof value === 'string' && value !== '') return { dir: value }
    return value === false ? false : {}
  })
  return z.union([options, z.pipe(word, named)], MUST)
}
