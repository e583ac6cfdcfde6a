import type { RequestHandler } from 'express'
import { blameFile, type SettingsFile } from '../config/config-file.ts'
import { handlerName } from '../config/handler-name.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import type { RewriteRules } from '../core/kernel/http/request-url.ts'
import { isObject } from '../core/kernel/json/values.ts'
import { parseRewriteRules } from '../core/layers/rewriter.ts'
import { parseLogic } from '../wings/logic/parse-logic.ts'
import { type Config, type ConfigSettings, resolveConfig, type Settings } from './settings.ts'

export interface StartOptions extends Omit<ConfigSettings, 'middlewares' | 'routes' | 'logic'> {
  /** Built-in layers by name, middleware files by path, and functions, in the order they run. */
  middlewares?: string | readonly (string | RequestHandler)[] | undefined
  /** Rewrite rules, or the path of a file that has them. */
  routes?: string | RewriteRules | undefined
  /** Handlers, hooks and computed fields as `define` takes them, or the path of a file that exports them. */
  logic?: string | false | object | undefined
  /** Served from memory instead of a `source`. */
  data?: object
  /**
   * Whether `data` stays yours: writes change it, and what you change in it is served. False serves a copy.
   * @default true
   */
  live?: boolean
  /** Receives what the server prints while it runs. Without it, nothing is printed. */
  print?: (line: string) => void
  /** Receives internal errors with their stack, even when `quiet`. `print` by default. */
  printError?: (line: string) => void
  /** Where these settings come from. With `watch`, they are reloaded when that file changes. */
  configFile?: ConfigFile
}

export interface OpenOptions extends StartOptions {
  /**
   * The path that leads to the handler, where nothing cuts it off the URL: `/api` in Next. Links and the page keep it.
   * @default ''
   */
  base?: string
}

export interface ConfigFile extends SettingsFile {
  /** All current settings, including those that do not come from the file. */
  read(): Promise<Settings>
}

/** Also against programs without types, such as `start('db.json')`. */
export function checkIsObject<Options extends object>(options: Options): Options {
  if (isObject(options)) return options
  throw new ConfigError(
    "start and open take an object of settings. For example: start({ source: 'db.json' })",
  )
}

/** Separates settings, as a config file may have them, from what only a program can pass. */
export function splitCodeFromSettings(options: StartOptions) {
  const { data, live, print, printError, configFile, middlewares, routes, logic, ...rest } = options
  const handlers = new Map<string, readonly RequestHandler[]>()
  const nameFor = (entry: string | RequestHandler, position: number): string => {
    if (typeof entry !== 'function') return entry
    const isTaken = handlers.has(handlerName(entry.name, position))
    const name = handlerName(isTaken ? `${entry.name} ${position + 1}` : entry.name, position)
    handlers.set(name, [entry])
    return name
  }
  const isRules = typeof routes === 'object'
  const isLogic = typeof logic === 'object'
  const settings: ConfigSettings = {
    ...rest,
    ...(middlewares !== undefined && { middlewares: [middlewares].flat().map(nameFor) }),
    ...(routes !== undefined && !isRules && { routes }),
    ...(logic !== undefined && !isLogic && { logic }),
  }
  return {
    settings,
    handlers,
    rules: isRules ? parseRewriteRules(routes) : undefined,
    logic: isLogic ? parseLogic(logic, 'logic') : undefined,
  }
}

export type SplitOptions = ReturnType<typeof splitCodeFromSettings>

/** @param file where the settings come from, for errors */
export function configOf(settings: ConfigSettings, file: SettingsFile | undefined): Config {
  try {
    return resolveConfig(settings)
  } catch (error) {
    throw file ? blameFile(error, file, settings) : error
  }
}
