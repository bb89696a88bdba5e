import type { api } from '#contract/api.ts'
import type { SaleTerms } from '#contract/money/sale.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction } from '../../platform/db/database.ts'
import { staffNameWithAddress } from '../../platform/db/expressions.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { getMemberById } from '../../people/members/member.queries.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { saleLink } from '../../platform/site-links.ts'
import { readSettings } from './read-sale.ts'
import { endProposal, findOpenProposal } from './sale-proposal.queries.ts'
import { lockSale } from './sale.queries.ts'
import { applySale } from './save-sale.ts'

export const confirmSaleProposal: Handler<typeof api.confirmSaleProposal> = async ({ params }, context) => {
  const { caller, config } = context
  return transaction(context.db, async (db) => {
    await lockSale(db)
    const proposal = await findOpenProposal(db, config)
    // The proposal has changed or ended since the approver read it.
    if (proposal?.id !== params.id) throw new Refused('conflict')
    if (proposal.proposed_by === caller.memberId) throw new Refused('forbidden')
    caller.requireStepUp()
    await applySale(db, context, {
      after: proposal.settings as unknown as SaleTerms,
      by: proposal.proposed_by,
      confirmedBy: caller.memberId,
      restoredId: proposal.restored_id,
    })
    return readSettings(db, config)
  })
}

export const declineSaleProposal: Handler<typeof api.declineSaleProposal> = async (
  { params, body: { reason } },
  { db, caller, config, keys },
) =>
  transaction(db, async (db) => {
    await lockSale(db)
    const proposal = await findOpenProposal(db, config)
    if (proposal?.id !== params.id) throw new Refused('conflict')
    const isOwn = proposal.proposed_by === caller.memberId
    if (!isOwn && reason === '') throw refusedField('reason', 'required')
    await endProposal(db, { by: caller.memberId, outcome: isOwn ? 'withdrawn' : 'declined', reason })
    if (!isOwn) {
      const [proposer, decliner] = [
        await getMemberById(db, proposal.proposed_by),
        await getMemberById(db, caller.memberId),
      ]
      await sendMail(db, keys, proposer, 'sale-proposal-declined', {
        name: staffNameWithAddress(decliner, proposer.language),
        reason,
        link: saleLink(config),
      })
    }
    await recordAudit(db, {
      actorId: caller.memberId,
      action: isOwn ? 'sale-proposal-withdrawn' : 'sale-proposal-declined',
      subjectKind: 'sale',
      subjectId: null,
      detail: { proposedBy: proposal.proposed_by },
    })
    return readSettings(db, config)
  })
