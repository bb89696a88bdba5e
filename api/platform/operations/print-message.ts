import { isProductionIn } from '../config/config.ts'

/** Why the program prints a message before or after the log exists. */
type Occasion = 'started' | 'refused' | 'crashed' | 'failed'

const levels: Readonly<Record<Occasion, number>> = { started: 30, refused: 60, crashed: 60, failed: 50 }

/** A line in the format of the log. */
const lineOf = (reason: Occasion, sentence: string): string =>
  JSON.stringify({ level: levels[reason], time: Date.now(), reason, msg: sentence })

type Stream = { isTTY?: boolean; write(text: string): unknown }

/** Prints one sentence: as plain text for a person, in production as a line of JSON for log collectors. */
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
