import { createInterface } from 'node:readline/promises'
import { StartRefused } from '#api/platform/start-refused.ts'

/** Asks on the terminal whether to go on, and refuses if the answer isn't yes. */
export async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  console.log(question)
  if (isConfirmed) return
  if (!process.stdin.isTTY)
    throw new StartRefused('There is no terminal to ask for confirmation. To confirm, add --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Continue? [y/N] ')
  terminal.close()
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new StartRefused('Nothing was changed.')
}
