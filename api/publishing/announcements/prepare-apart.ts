import { SECOND } from '#contract/platform/durations.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { openThread, ThreadFailed } from '../../platform/threads/open-thread.ts'
import { prepareText, type PreparedText } from './prepare-text.ts'

/** Smaller texts take some milliseconds at most. */
const lengthOfSmall = 20_000
const marksOfSmall = 500

/** The slowest text that the contract accepts takes a second of processor time. */
const thread = openThread<string, PreparedText>(new URL('./prepare-text-worker.ts', import.meta.url), {
  answerMax: 15 * SECOND,
  waitingMax: 20,
  memoryMaxMb: 512,
})

/** Prepares a large text in a separate thread, so that it does not delay requests. Rejects one that takes too long. */
export async function prepareApart(html: string): Promise<PreparedText> {
  if (html.length <= lengthOfSmall && (html.match(/[<&]/g)?.length ?? 0) <= marksOfSmall)
    return prepareText(html)
  try {
    return await thread.ask(html)
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw error.isBusy ? new Refused('unavailable') : refusedField('content', 'too_much_markup')
  }
}
