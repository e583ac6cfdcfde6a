import { Modes } from './modes.ts'

/** What the proxy has for each world: the base, or a session. */
export class WorldProxy {
  readonly modes: Modes

  constructor(modes: Modes) {
    this.modes = modes
  }

  fork(): WorldProxy {
    return new WorldProxy(this.modes.fork())
  }
}
