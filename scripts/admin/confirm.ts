import { createInterface } from 'node:readline/promises'
import { StartRefused } from '#api/platform/start-refused.ts'

const yes = '--yes'

/** Separates `--yes`, which answers the question of a command in advance, from the other words. */
export const readWords = (args: readonly string[]): { words: string[]; isConfirmed: boolean } => ({
  words: args.filter((word) => word !== yes),
  isConfirmed: args.includes(yes),
})

/** Asks on the terminal, and refuses unless the answer is `yes`. */
export async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return
  if (!process.stdin.isTTY)
    throw new StartRefused(`This command asks for confirmation on a terminal. Without one, add ${yes}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question}\nType yes to continue: `)
  terminal.close()
  if (answer.trim() !== 'yes') throw new StartRefused('Nothing was changed.')
}
