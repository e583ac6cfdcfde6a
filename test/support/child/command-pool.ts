import { Commands } from './commands.ts'

const idle: Commands[] = []
const all = new Set<Commands>()

/** A process for commands, for as long as nobody else has it. */
export function borrowCommands(): Commands {
  const commands = idle.pop() ?? new Commands()
  all.add(commands)
  return commands
}

/** Hands one back whose command has ended. */
export function returnCommands(commands: Commands): void {
  idle.push(commands)
}

/** Ends them all, those of failed tests as well. */
export function endCommands(): void {
  for (const commands of all) commands.end()
  all.clear()
  idle.length = 0
}
