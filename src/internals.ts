/*
 * What the command `restable` uses: besides the public API, not published, may change with every version; and the few
 * parts of that API that every start needs, since index.ts would load all of it.
 */
export { mergeSettings, parseSettings } from './app/config/config.ts'
export { configName, findConfigs, readConfigFile } from './app/config/config-file.ts'
export { SETTING_FLAGS, type SettingFlag } from './app/config/setting-flags.ts'
export { nearest, toCamelCase, toKebabCase } from './app/config/spelling.ts'
export { packageVersion } from './app/package-version.ts'
export { shownSource } from './app/source/explain-source.ts'
export { loadedLogic } from './app/source/load-logic.ts'
export { isDataFile } from './app/source/load-source.ts'
export { start } from './app/start.ts'
export { ConfigError, ListenError, StorageError } from './catalogue/error-classes.ts'
export { runningLogic } from './logic/running.ts'
