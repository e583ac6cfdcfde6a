import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Express gives every request and response the app's own prototype, and V8 discards its optimizations each time.
 * Created with that prototype in the first place, they need no change: so the prototypes become those of two classes.
 * Classes, because V8 reserves space in an object for the fields of all classes it extends; an object made by a function
 * grows field by field, until V8 gives up and turns it into a dictionary.
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

/** The classes a server should use for an app: its own after `giveClasses`, else Node's. */
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
