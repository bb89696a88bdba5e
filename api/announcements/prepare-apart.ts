import { SECOND } from '#contract/durations.ts'
import { Refused, refusedField } from '../refused.ts'
import { openThread, ThreadFailed } from '../threads/open-thread.ts'
import { prepareText, type PreparedText } from './prepare-text.ts'

/** Up to here a text takes some milliseconds at most. */
const lengthOfSmall = 20_000
const marksOfSmall = 500

/** The slowest text that the contract lets through takes a second of processor time. */
const thread = openThread<string, PreparedText>(new URL('./prepare-text-worker.ts', import.meta.url), {
  answerMax: 15 * SECOND,
  waitingMax: 20,
  memoryMaxMb: 512,
})

/** A large text is prepared apart from the requests, which it would hold up. One that takes too long is refused. */
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
