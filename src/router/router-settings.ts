/**
 * Settings that change how the router answers, named as in the config. They go from the config to the router as one
 * value, so that another one is a line here and its use.
 */
export interface RouterSettings {
  /** Deleting a row also deletes its dependents. @default false */
  cascade: boolean
  /** A PUT of a missing item creates it. @default false */
  upsert: boolean
  /** Parameters of a read that have no effect are refused. @default false */
  strict: boolean
}

/** These settings of a config, or of what a program passes. */
export function routerSettings({
  cascade = false,
  upsert = false,
  strict = false,
}: Partial<RouterSettings>): RouterSettings {
  return { cascade, upsert, strict }
}
