import { setTimeout } from 'node:timers/promises'

const answerAfter = 50

/**
 * Delays the answer of `work` to a fixed minimum time, so that the response time does not reveal whether a mail was written.
 */
export async function answerInConstantTime<T>(work: Promise<T>): Promise<T> {
  const [answer] = await Promise.all([work, setTimeout(answerAfter)])
  return answer
}
