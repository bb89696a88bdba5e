import { checkOfficial, type OfficialAnswer, type PostedCheck } from '#contract/publishing/official.ts'
import type { FormSender, PostInProcess } from '../../platform/http/post-in-process.ts'

/** Checks the text of a form that was sent without JavaScript. */
export const checkInProcess =
  (post: PostInProcess) =>
  async (
    text: string,
    sender: FormSender,
  ): Promise<{ posted: PostedCheck; status: number; retryAfter?: string | undefined }> => {
    const answered = await post<OfficialAnswer>(checkOfficial.path, { text }, sender)
    const { status } = answered
    if (!answered.problem) return { posted: { answer: answered.body }, status }
    return { posted: { problem: answered.problem.message, text }, status, retryAfter: answered.retryAfter }
  }
