import type { api } from '#contract/api.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { findMailPause } from '../pause/mail-pause.queries.ts'
import { setMailPause } from '../pause/pause-mails.ts'

/** Emails warn of actions on an account, so pausing them requires a fresh proof. */
export const setMailDelivery: Handler<typeof api.setMailDelivery> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    if (body.paused) caller.requireStepUp()
    await setMailPause(db, { isPaused: body.paused, actorId: caller.memberId })
    return { pausedAt: (await findMailPause(db))?.toISOString() ?? null }
  })
