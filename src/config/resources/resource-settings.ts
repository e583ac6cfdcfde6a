import * as z from 'zod/mini'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { shapeSchema } from '../../wings/shapes/shape-settings.ts'
import { optional } from '../../wings/shapes/shape-template.ts'

const WHO = '"anyone", "signed-in", "owner", "nobody", "role:" and a role, or "via:" and a foreign key'
const RULE = `${WHO}, or a list of them`
const ACCESS = 'an object with read, create, update and delete, or three digits such as 640 or "044"'
const FIELD = 'the name of a field'
const FIELDS = 'a list of fields'
const SCHEMA = 'the path of a JSON Schema, or the schema itself'
const PLAIN_FIELD = 'the name of a field, without dots and brackets'

const plainField = z.string(PLAIN_FIELD).check(z.regex(/^[^.[\]]+$/, PLAIN_FIELD))
const who = z.string(WHO).check(z.regex(/^(?:anyone|signed-in|owner|nobody|role:.+|via:[^\s.[\]]+)$/s, WHO))
const rule = z.union([who, z.array(who, RULE).check(z.minLength(1, RULE))], RULE)

/** The digits of json-server-auth: for the owner, for users who are logged in, for anyone; 4 to read, 2 to write. */
const GUARD = /^[0246]{3}$/

const access = z.union(
  [
    z.strictObject(
      {
        read: optional(rule, 'Who may read', 'anyone'),
        create: optional(rule, 'Who may create', 'signed-in'),
        update: optional(rule, 'Who may change', 'signed-in'),
        delete: optional(rule, 'Who may delete', 'signed-in'),
      },
      ACCESS,
    ),
    // As a number it cannot begin with 0: 64 could mean 064 or 640.
    z.number(ACCESS).check(
      z.minimum(200, ACCESS),
      z.maximum(666, ACCESS),
      z.refine((number) => GUARD.test(String(number)), ACCESS),
    ),
    z.string(ACCESS).check(z.regex(GUARD, ACCESS)),
  ],
  ACCESS,
)

const reference = z.strictObject(
  {
    resource: name('the name of a collection').register(z.globalRegistry, {
      description: 'The collection that the field points at',
    }),
    onDelete: optional(
      z.enum(['keep', 'cascade', 'restrict', 'null'], 'one of "keep", "cascade", "restrict" and "null"'),
      'What happens to rows whose reference is deleted',
      'keep',
    ),
  },
  'an object with resource and onDelete',
)

/** The settings of one resource. Each message completes the sentence `"unique" must be …`. */
const resource = z.strictObject(
  {
    id: optional(plainField, 'The field with the ids of rows, if it has another name than elsewhere'),
    schema: optional(
      z.union([z.string(SCHEMA).check(z.minLength(1)), z.record(z.string(), z.unknown())], SCHEMA),
      'JSON Schema 2020-12 that rows must fit: a path, from this file, or the schema itself',
    ),
    unique: optional(
      z.array(
        z.union(
          [name(FIELD), z.array(name(FIELD), FIELDS).check(z.minLength(1, FIELDS))],
          'the name of a field, or a list of fields that are unique together',
        ),
        FIELDS,
      ),
      'Fields, or combinations of fields, of which no two rows have the same values',
    ),
    references: optional(
      z.record(z.string(), reference, 'an object of fields and what they point at'),
      'Fields that hold the id, or the ids, of rows that must exist',
    ),
    timestamps: optional(
      z.union(
        [z.boolean(), z.tuple([name(FIELD), name(FIELD)])],
        'true, or the names of two fields: when a row was created and when it was changed',
      ),
      'Fields for when a row was created and changed: createdAt and updatedAt, or two names',
    ),
    ids: optional(
      z.enum(['increment', 'uuid', 'nanoid'], 'one of "increment", "uuid" and "nanoid"'),
      'What the ids of new rows are',
    ),
    access: optional(
      access,
      'Who may do what, with the layer accounts: an object, or a number as in json-server-auth (640: the owner may read and write, others who are logged in may read)',
    ),
    owner: optional(
      plainField,
      'The field with the id of the user who owns a row; user and the foreign key suffix by default. The server fills it in.',
    ),
    shape: optional(
      shapeSchema,
      'What responses look like around the rows, if it is not as in other resources',
    ),
  },
  'an object with id, schema, unique, references, timestamps, ids, access, owner or shape',
)

export const resourcesSchema = z.record(z.string(), resource, 'an object of resources by name')

export type ResourcesSettings = z.output<typeof resourcesSchema>
export type ResourceSettings = ResourcesSettings[string]
export type AccessSettings = z.output<typeof access>

function name(must: string) {
  return z.string(must).check(z.minLength(1, must))
}

export function parseResources(raw: unknown): ResourcesSettings {
  const result = resourcesSchema.safeParse(raw)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = ['resources', ...(issue?.path ?? [])].join('.')
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : []
  throw new ConfigError(
    keys.length > 0
      ? `there is no setting "${path}.${keys.join(', ')}". Known are id, schema, unique, references, timestamps, ids, access, owner and shape.`
      : `"${path}" must be ${issue?.message}.`,
  )
}
