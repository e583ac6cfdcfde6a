import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { BaseConfig } from '../config/config.ts'
import { loadModule } from '../config/load-module.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { type ParsedLogic, parseLogic } from '../wings/logic/parse-logic.ts'
import { isAddress } from './explain-source.ts'
import { isFolder } from './load-source.ts'

const NAMES = ['api.ts', 'api.js', 'api.mjs', 'api.mts', 'api.cjs'] as const

let loaded: string | undefined

/** The last logic file that this process has loaded: its code runs from then on, also outside of its functions. */
export function loadedLogic(): string | undefined {
  return loaded
}

export async function loadLogic(file: string, version?: number): Promise<ParsedLogic> {
  const path = resolve(file)
  if (!existsSync(path)) throw new ConfigError(`logic: there is no file "${file}". Check the path.`)
  loaded = file
  const exported = await loadModule(path, `logic: "${file}"`, version)
  const isEmpty = isObject(exported) && Object.keys(exported).length === 0
  if (isEmpty && !/\bexports?\b/.test(readFileSync(path, 'utf8'))) {
    throw new ConfigError(`logic: ${file}: it exports nothing. Write export default define({ … }).`)
  }
  return parseLogic(exported, file)
}

/** The logic file that a config names or else, beside its data or in its folder, the first that is one. */
export function findLogic(config: BaseConfig, hasData: boolean): string | undefined {
  if (config.logic !== undefined) return config.logic || undefined
  return logicNames(config, hasData).find((file) => existsSync(file) && isOurs(file))
}

/** Where a logic file would be found. */
export function logicNames({ source, logic }: BaseConfig, hasData: boolean): readonly string[] {
  if (logic) return [logic]
  const [first] = [source].flat()
  const isFile = first !== undefined && !isAddress(first)
  if (logic === false || hasData || !isFile) return []
  const folders = isFolder(first) ? [first, dirname(first)] : [dirname(first)]
  const files = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return files.filter((file) => resolve(file) !== resolve(first))
}

/** A project may well have an `api.js` of another kind, which must not run: one that opens a server would open itself. */
function isOurs(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  return /\brestable\b/.test(text) && /\bdefine\b/.test(text)
}
