import * as z from 'zod'
import { ConfigError } from '../catalogue/error-classes.ts'
import { accessSchema } from './access-settings.ts'

const FIELD = 'the name of a field'
const OWNER = 'the name of a field, without dots and brackets'

/** What may be said of one resource. The message of each check completes the sentence `"unique" must be …`. */
const resource = z.strictObject(
  {
    schema: z
      .union(
        [
          z.string('the path of a JSON Schema, or the schema itself').min(1),
          z.record(z.string(), z.unknown()),
        ],
        {
          error: 'the path of a JSON Schema, or the schema itself',
        },
      )
      .optional()
      .meta({
        description: 'JSON Schema 2020-12 that rows must fit: a path, from this file, or the schema itself',
      }),
    unique: z
      .array(
        z.union([name(FIELD), z.array(name(FIELD), 'a list of fields').min(1, 'a list of fields')], {
          error: 'the name of a field, or a list of fields that are unique together',
        }),
        'a list of fields',
      )
      .optional()
      .meta({ description: 'Fields, or combinations of fields, of which no two rows have the same values' }),
    references: z
      .record(
        z.string(),
        z.strictObject(
          {
            resource: name('the name of a collection').meta({
              description: 'The collection that the field points at',
            }),
            onDelete: z
              .enum(
                ['keep', 'cascade', 'restrict', 'null'],
                'one of "keep", "cascade", "restrict" and "null"',
              )
              .optional()
              .meta({ description: 'What happens to rows whose reference is deleted', default: 'keep' }),
          },
          'an object with resource and onDelete',
        ),
        'an object of fields and what they point at',
      )
      .optional()
      .meta({ description: 'Fields that hold the id, or the ids, of rows that must exist' }),
    timestamps: z
      .union([z.boolean(), z.tuple([name(FIELD), name(FIELD)])], {
        error: 'true, or the names of two fields: when a row was created and when it was changed',
      })
      .optional()
      .meta({
        description: 'Fields for when a row was created and changed: createdAt and updatedAt, or two names',
      }),
    ids: z
      .enum(['increment', 'uuid', 'nanoid'], 'one of "increment", "uuid" and "nanoid"')
      .optional()
      .meta({ description: 'What the ids of new rows are' }),
    access: accessSchema.optional(),
    owner: z
      .string(OWNER)
      .regex(/^[^.[\]]+$/, OWNER)
      .optional()
      .meta({
        description:
          'The field with the id of the user who owns a row; user and the foreign key suffix by default. The server fills it in.',
      }),
  },
  'an object with schema, unique, references, timestamps, ids, access or owner',
)

export const resourcesSchema = z.record(z.string(), resource, 'an object of resources by name')

export type ResourcesSettings = z.output<typeof resourcesSchema>
export type ResourceSettings = ResourcesSettings[string]

function name(must: string) {
  return z.string(must).min(1, must)
}

/** Checks settings that a program passes. */
export function parseResources(raw: unknown): ResourcesSettings {
  const result = resourcesSchema.safeParse(raw)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = ['resources', ...(issue?.path ?? [])].join('.')
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : []
  throw new ConfigError(
    keys.length > 0
      ? `there is no setting "${path}.${keys.join(', ')}". Known are schema, unique, references, timestamps, ids, access and owner.`
      : `"${path}" must be ${issue?.message}.`,
  )
}
