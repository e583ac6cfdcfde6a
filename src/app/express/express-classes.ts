import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Express gives every request and response the app's own prototype, and V8 throws its optimisations away each time.
 * Made with that prototype in the first place they need no change: so the prototypes become those of two classes.
 * Classes, because V8 leaves room in an object for the fields of all classes it extends; what a function makes
 * grows field by field, until V8 gives up and keeps it as a dictionary.
 */
export function giveClasses(app: Express): void {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  Object.assign(app, {
    request: becomeLike(Request.prototype, app.request),
    response: becomeLike(Response.prototype, app.response),
  })
}

function becomeLike(prototype: object, old: object): object {
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(old))
  return Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(old))
}

/** What a server has to make for an app: with `giveClasses` its own kind, else Node's. */
export function classesOf(app: RequestListener): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  const request: unknown = Reflect.get(app, 'request')
  const response: unknown = Reflect.get(app, 'response')
  if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return {}
  // Checked above: these are prototypes of Node's classes, or of classes that extend them.
  return {
    IncomingMessage: request.constructor as typeof IncomingMessage,
    ServerResponse: response.constructor as typeof ServerResponse,
  }
}
