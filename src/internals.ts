/* What the command `restable` uses besides the public API. Not published: it may change with every version. */
export { mergeSettings, parseSettings } from './app/config/config.ts'
export { configName, findConfigs, readConfigFile } from './app/config/config-file.ts'
export { SETTING_FLAGS, type SettingFlag } from './app/config/setting-flags.ts'
export { nearest } from './app/config/spelling.ts'
export { packageVersion } from './app/package-version.ts'
export { shownSource } from './app/source/explain-source.ts'
export { isDataFile } from './app/source/load-source.ts'
export { runningLogic } from './logic/running.ts'
