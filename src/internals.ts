/*
 * What the command `restable` uses. Not published: it may change with every version. `start` and the errors are public,
 * too, but index.ts would load the whole library.
 */
export { mergeSettings, parseSettings } from './core/config/config.ts'
export { configName, findConfigs, readConfigFile } from './core/config/config-file.ts'
export { SETTING_FLAGS, type SettingFlag } from './core/config/setting-flags.ts'
export { nearest, toCamelCase, toKebabCase } from './core/config/spelling.ts'
export { ConfigError, ListenError, StorageError } from './core/kernel/catalogue/error-classes.ts'
export { packageVersion } from './core/serve/package-version.ts'
export { shownSource } from './core/serve/source/explain-source.ts'
export { loadedLogic } from './core/serve/source/load-logic.ts'
export { isDataFile } from './core/serve/source/load-source.ts'
export { start } from './core/serve/start.ts'
export { runningLogic } from './wings/logic/running.ts'
