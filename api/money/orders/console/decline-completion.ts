import { shownReference } from '../../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { getMemberById } from '../../../people/members/member.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import { consoleOrderLink } from '../../../platform/site-links.ts'
import { auditOrder, insertOrderStep } from '../order-history.queries.ts'
import { updateOrderRow } from '../order.queries.ts'
import { recordingRefusedDecision, lockOtherMembersOrder } from '../require-other-members-order.ts'
import { presentOrder } from '../present-order.ts'
import { reinstateDeadline } from '../extend-deadline.ts'

/** Declines a proposed completion. Its author can withdraw it too. The member never learns of the proposal. */
export const declineOrderCompletion: Handler<typeof api.declineOrderCompletion> = (
  { params, body },
  context,
) => {
  const { caller, keys, config } = context
  return recordingRefusedDecision(context, params.id, () =>
    transaction(context.db, async (db) => {
      const order = await lockOtherMembersOrder(db, params.id, caller, body)
      const first = order.completion_proposed_by
      if (first === null) throw new Refused('conflict')
      caller.requireStepUp()
      const declined = await reinstateDeadline(
        db,
        config,
        order,
        await updateOrderRow(db, order.id, {}, null),
      )
      await insertOrderStep(db, order.id, {
        kind: 'completion_declined',
        by: caller.memberId,
        reason: body.reason,
      })
      await auditOrder(db, caller.memberId, 'order-completion-declined', order.id)
      const proposer = await getMemberById(db, first)
      if (first !== caller.memberId && !proposer.erased_at)
        await sendMail(db, keys, proposer, 'staff-order-declined', {
          reference: shownReference(order.reference),
          reason: body.reason,
          link: consoleOrderLink(config, order.id),
        })
      return presentOrder(declined)
    }),
  )
}
