import {
  confirmContact,
  contactStaff,
  continueContact,
  type PostedContact,
} from '#contract/people/conversations.ts'
import type { FormSender, PostInProcess } from '../../platform/http/post-in-process.ts'

type Fields = Readonly<Record<string, string>>

/** Sends the contact form, confirms an address, or answers, for a form that was sent without JavaScript. */
export const contactInProcess =
  (post: PostInProcess) =>
  async (
    fields: Fields,
    sender: FormSender,
  ): Promise<{ posted: PostedContact; status: number; retryAfter?: string | undefined }> => {
    const { answer, email = '', name = '', text = '' } = fields
    const given = { email, name, text }
    const ofLink = answer === undefined ? {} : { linkCode: answer }
    // Without JavaScript, the page learns its code only when the button sends it, so the answer form is shown now.
    if (answer !== undefined && fields['text'] === undefined)
      return { posted: { problems: {}, given, ...ofLink }, status: 200 }
    const { path, body, done } = requestOf(fields, given)
    const { status, problem, retryAfter } = await post(path, body, sender)
    if (!problem) return { posted: { done }, status: 200 }
    const { errors = [], message } = problem
    const problems =
      errors.length > 0
        ? Object.fromEntries(errors.map((each) => [each.path, each.message]))
        : { '': message }
    return { posted: { problems, given, ...ofLink }, status, retryAfter }
  }

/** All forms are on the same page, whose address may contain a code. */
function requestOf({ code = '', answer, text }: Fields, given: Fields) {
  if (text === undefined) return { path: confirmContact.path, body: { code }, done: 'confirmed' as const }
  if (answer === undefined) return { path: contactStaff.path, body: given, done: 'sent' as const }
  return { path: continueContact.path, body: { code: answer, text }, done: 'answered' as const }
}
