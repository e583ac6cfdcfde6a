import { SETTING_FLAGS, type SettingFlag } from '../internals.ts'

export type Flag = Omit<SettingFlag, 'path' | 'isInverse'>

const OTHER: readonly Flag[] = [
  {
    name: 'config',
    alias: 'c',
    about: 'Config file',
    default: 'restable.config.json',
    example: 'my.config.json',
    isSwitch: false,
    group: 'Other',
  },
  {
    name: 'help',
    alias: 'h',
    about: 'Show this help; --help all shows every flag',
    isSwitch: true,
    group: 'Other',
  },
  { name: 'version', alias: 'v', about: 'Show the version', isSwitch: true, group: 'Other' },
]

export const FLAGS: readonly Flag[] = [...SETTING_FLAGS, ...OTHER]

export const OUT: Flag = {
  name: 'out',
  alias: 'o',
  about: 'File to write; without it, the text is printed',
  example: 'api.d.ts',
  isSwitch: false,
  group: 'Flags',
}

/** In place of the setting of that name, which is the file that the data begins with. */
export const GROW_SEED: Flag = {
  name: 'seed',
  about: 'Number that the rows depend on: the same one makes the same rows',
  example: '7',
  isSwitch: false,
  max: 999_999_999,
  group: 'Flags',
}

export const GROW_OUT: Flag = {
  ...OUT,
  about: 'JSON file to write everything to, instead of saving the rows',
  example: 'more.json',
}

export const TRANSFER: readonly Flag[] = [
  {
    name: 'schema',
    about: 'Schema of the database',
    default: 'restable',
    example: 'team_a',
    isSwitch: false,
    group: 'Flags',
  },
  { name: 'replace', about: 'Replace what is there already', isSwitch: true, group: 'Flags' },
]

/** Flags of an import of an API description. */
export const DESCRIPTION: readonly Flag[] = [
  {
    name: 'merge',
    about: 'Add what is missing, and change nothing',
    isSwitch: true,
    group: 'API descriptions',
  },
  { name: 'dry-run', about: 'Only report', isSwitch: true, group: 'API descriptions' },
  {
    name: 'only',
    about: 'Paths to import; * is a part, ** is any rest',
    example: '"/api/**"',
    isSwitch: false,
    group: 'API descriptions',
  },
  {
    name: 'rows',
    about: 'Rows of each collection; 0: only examples',
    default: '10',
    example: '50',
    isSwitch: false,
    max: 100_000,
    group: 'API descriptions',
  },
  { ...GROW_SEED, group: 'API descriptions' },
  { name: 'json', about: 'Report as JSON', isSwitch: true, group: 'API descriptions' },
  {
    name: 'strict',
    about: 'Write nothing if something was not used',
    isSwitch: true,
    group: 'API descriptions',
  },
  {
    name: 'config',
    alias: 'c',
    about: 'Config file to write',
    default: 'restable.config.json beside the data',
    example: 'api.config.json',
    isSwitch: false,
    group: 'API descriptions',
  },
]

export function yargsOption({ alias, also, isSwitch, list, max, about, default: standard }: Flag) {
  const names = [alias, also].filter((name) => name !== undefined)
  return {
    // An empty list would be an alias called "undefined" to yargs.
    ...(names.length > 0 && { alias: names }),
    describe: list === 'commas' ? `${about} (comma-separated)` : about,
    ...(isSwitch ? { boolean: true } : { string: true }),
    ...(list === 'spaces' && { array: true }),
    // With `string`, only the help calls it a number: a message about it shows what was written.
    ...(max !== undefined && { number: true }),
    ...(standard !== undefined && { defaultDescription: standard }),
  }
}
