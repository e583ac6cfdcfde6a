/*
 * What the command `restable` uses. Not published: it may change with every version. `start` and the errors are public,
 * too, but index.ts would load the whole library.
 */
export { mergeSettings, parseSettings } from './app/config/config.ts'
export { configName, findConfigs, readConfigFile } from './app/config/config-file.ts'
export { SETTING_FLAGS, type SettingFlag } from './app/config/setting-flags.ts'
export { nearest, toCamelCase, toKebabCase } from './app/config/spelling.ts'
export { shownSource } from './app/source/explain-source.ts'
export { loadedLogic } from './app/source/load-logic.ts'
export { isDataFile } from './app/source/load-source.ts'
export { start } from './app/start.ts'
export { ConfigError, ListenError, StorageError } from './catalogue/error-classes.ts'
export { runningLogic } from './logic/running.ts'
export { packageVersion } from './util/package-version.ts'
