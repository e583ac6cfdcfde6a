/*
 * What the command `restable` uses. Not published: it may change with every version. `start` and the errors are public,
 * too, but index.ts would load the whole library.
 */

export { configName, findConfigs } from './config/config-file.ts'
export type { SettingFlag } from './config/setting-flags.ts'
export { nearest, toCamelCase, toKebabCase } from './config/spelling.ts'
export { ConfigError, ListenError, StorageError } from './core/kernel/catalogue/error-classes.ts'
export { PACKAGE_FOLDER } from './core/kernel/util/package-folder.ts'
export { packageVersion } from './core/kernel/util/package-version.ts'
export { isLayer } from './core/layers/list.ts'
export { mayBeDescription } from './features/import/read-document.ts'
export {
  examplesOf,
  mergeSettings,
  parseSettings,
  readConfigFile,
  SETTING_FLAGS,
} from './features/settings.ts'
export { start } from './serve/start.ts'
export { shownSource } from './source/explain-source.ts'
export { loadedLogic } from './source/load-logic.ts'
export { isDataFile } from './source/load-source.ts'
export { runningLogic } from './wings/logic/running.ts'
