import { isProductionIn } from '../config.ts'

/** Why the program speaks before there is a log, or after it. */
export type Occasion = 'started' | 'refused' | 'crashed' | 'failed'

const levels: Readonly<Record<Occasion, number>> = { started: 30, refused: 60, crashed: 60, failed: 50 }

/** A line as the log has them. */
export const lineOf = (reason: Occasion, sentence: string): string =>
  JSON.stringify({ level: levels[reason], time: Date.now(), reason, msg: sentence })

type Stream = { isTTY?: boolean; write(text: string): unknown }

/** One sentence of the program: to a person as it is, in production to whatever gathers logs as a line of JSON. */
export function say(
  reason: Occasion,
  sentence: string,
  {
    stream = reason === 'started' ? process.stdout : process.stderr,
    environment = process.env,
  }: { stream?: Stream; environment?: Record<string, string | undefined> } = {},
): void {
  const isLine = isProductionIn(environment) && !stream.isTTY
  stream.write(`${isLine ? lineOf(reason, sentence) : sentence}\n`)
}
