import { confirmContact, contactStaff, type PostedContact } from '#contract/people/conversations.ts'
import type { FormSender, PostInProcess } from '../../platform/http/post-in-process.ts'

/** Sends the contact form, or confirms an address, for a form that was sent without JavaScript. */
export const contactInProcess =
  (post: PostInProcess) =>
  async (
    { code, email = '', name = '', text }: Readonly<Record<string, string>>,
    sender: FormSender,
  ): Promise<{ posted: PostedContact; status: number; retryAfter?: string | undefined }> => {
    // The form for a message is on the same page, whose address may contain a code.
    const isConfirmation = text === undefined
    const given = { email, name, text: text ?? '' }
    const answered = isConfirmation
      ? await post(confirmContact.path, { code: code ?? '' }, sender)
      : await post(contactStaff.path, given, sender)
    const { status, problem } = answered
    if (!problem) return { posted: { done: isConfirmation ? 'confirmed' : 'sent' }, status: 200 }
    const { errors = [], message } = problem
    const problems =
      errors.length > 0
        ? Object.fromEntries(errors.map((each) => [each.path, each.message]))
        : { '': message }
    return { posted: { problems, given }, status, retryAfter: answered.retryAfter }
  }
