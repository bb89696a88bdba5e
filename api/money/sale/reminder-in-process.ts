import {
  cancelSaleReminder,
  confirmSaleReminder,
  requestSaleReminder,
  type PostedReminder,
} from '#contract/money/public-sale.ts'
import type { FormSender, PostInProcess } from '../../platform/http/post-in-process.ts'

type Fields = Readonly<Record<string, string>>

/** Requests, confirms, or cancels a reminder for a form that was sent without JavaScript. */
export const reminderInProcess =
  (post: PostInProcess) =>
  async (
    fields: Fields,
    sender: FormSender,
  ): Promise<{ posted: PostedReminder; status: number; retryAfter?: string | undefined }> => {
    const { path, body, done } = requestOf(fields, sender)
    const { status, problem, retryAfter } = await post(path, body, sender)
    if (!problem) return { posted: { reminder: { done } }, status: 200 }
    const { errors = [], message } = problem
    const problems =
      errors.length > 0
        ? Object.fromEntries(errors.map((each) => [each.path, each.message]))
        : { '': message }
    const { email = '' } = fields
    return { posted: { reminder: { problems, given: { email } } }, status, retryAfter }
  }

/** If the page’s address contains a code from an email, the form has no fields. */
function requestOf({ code, cancel, email }: Fields, { language }: FormSender) {
  if (email !== undefined)
    return { path: requestSaleReminder.path, body: { email, language }, done: 'received' as const }
  if (cancel !== undefined)
    return { path: cancelSaleReminder.path, body: { code: cancel }, done: 'cancelled' as const }
  return { path: confirmSaleReminder.path, body: { code: code ?? '' }, done: 'confirmed' as const }
}
