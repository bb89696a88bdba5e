import { calledAsCoin } from '#api/platform/command-line.ts'
import { say } from '#api/platform/operations/print-message.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { describeCommands, findCommand } from './coin/commands.ts'
import { addSettings } from './coin/settings-file.ts'

/* The command line of a server that was installed from a release: `coin COMMAND` runs a script of this folder with the
   settings of the server. */

const [name = 'help'] = process.argv.slice(2)
const command = findCommand(name)

if (command) await runCommand(command.script)
else if (['help', '--help', '-h'].includes(name)) console.log(describeCommands())
else refuse(`There is no command ${JSON.stringify(name)}. To list the commands, run coin help.`)

async function runCommand(script: string): Promise<void> {
  try {
    addSettings(process.env)
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    return refuse(error.message)
  }
  process.env[calledAsCoin] = '1'
  const url = new URL(`./${script}.ts`, import.meta.url)
  // The script reads its words and recognizes itself as if it had been started directly.
  process.argv.splice(1, 2, url.pathname)
  await import(url.href)
}

function refuse(sentence: string): void {
  say('refused', sentence)
  process.exitCode = 1
}
