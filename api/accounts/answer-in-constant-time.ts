import { setTimeout } from 'node:timers/promises'

const answerAfter = 50

/**
 * Lets `work` answer no sooner than after a while that it does not need: whether there was a mail to write must not be
 * read off the clock.
 */
export async function answerInConstantTime<T>(work: Promise<T>): Promise<T> {
  const [answer] = await Promise.all([work, setTimeout(answerAfter)])
  return answer
}
