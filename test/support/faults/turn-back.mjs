// Loaded into the server with --import: SIGUSR2 sets its clock back by a day.
const { Date: RealDate } = globalThis
let behind = 0

globalThis.Date = class Clock extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() - behind)
    else super(...args)
  }

  static now() {
    return RealDate.now() - behind
  }
}

process.on('SIGUSR2', () => {
  behind += 24 * 60 * 60 * 1000
  process.stderr.write('the clock was set back\n')
})
