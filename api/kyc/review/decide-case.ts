import type { api } from '#contract/api.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { decide } from './decide.ts'
import { presentCaseNow } from './present-case.ts'
import { requireOwnCaseOrProposal } from './require-own-case.ts'

export const decideKycCase: Handler<typeof api.decideKycCase> = ({ params, body }, context) =>
  transaction(context.db, async (db) => {
    const row = await requireOwnCaseOrProposal(db, params.id, context.caller.memberId)
    await decide(db, row, body, context)
    return presentCaseNow(db, row.id)
  })
