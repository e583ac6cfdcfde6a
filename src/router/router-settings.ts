/** Settings of the router, named as in the config, which passes them on as one value. */
export interface RouterSettings {
  /** Deleting a row also deletes its dependents. @default false */
  cascade: boolean
  /** A PUT of a missing item creates it. @default false */
  upsert: boolean
  /** Parameters of a read that have no effect are refused. @default false */
  strict: boolean
}

export function routerSettings({
  cascade = false,
  upsert = false,
  strict = false,
}: Partial<RouterSettings>): RouterSettings {
  return { cascade, upsert, strict }
}
