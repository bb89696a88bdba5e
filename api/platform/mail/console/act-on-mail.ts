import { api } from '#contract/api.ts'
import type { ConsoleMail, ConsoleMailDetail } from '#contract/platform/console-mails.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { announceChange } from '../../db/changes.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { serveBulk } from '../../resource/serve-bulk.ts'
import { mailRuleOf } from '../mail-kinds.ts'
import {
  findConsoleMail,
  lockConsoleMail,
  markMailStopped,
  renewMail,
  type OpenedMail,
} from './console-mail.queries.ts'
import { isWithin, canActOn, scopeOf } from './mail-scope.ts'
import { presentMail } from './present-mail.ts'
import { readShownSubjects } from './read-shown-subjects.ts'

type Obstacle = ConsoleMailDetail['againObstacle']

export function againObstacleOf(row: OpenedMail): Obstacle {
  if (row.state === 'sent') return 'mail_delivered'
  if (row.is_in_hand) return 'mail_in_hand'
  const life = mailRuleOf(row.kind)?.expiresAfter
  if (life !== undefined && Number(row.age_ms) >= life) return 'mail_expired'
  if (row.sealed_message === null) return 'mail_text_gone'
  return row.is_still_theirs ? null : 'mail_address_changed'
}

export function stopObstacleOf(row: OpenedMail): Obstacle {
  if (row.state === 'sent') return 'mail_delivered'
  if (row.is_in_hand) return 'mail_in_hand'
  return row.state === 'waiting' ? null : 'conflict'
}

export const sendMailAgain: Handler<typeof api.sendMailAgain> = ({ body }, context) =>
  act(context, body.id, againObstacleOf, async (db, row) => {
    await renewMail(db, row.id)
    await note(db, context, row, 'mail-sent-again')
    await announceChange(db, 'mail')
  })

/** Emails warn of actions on an account, so stopping one requires a fresh proof. */
export const stopMail: Handler<typeof api.stopMail> = ({ body }, context) =>
  act(context, body.id, stopObstacleOf, async (db, row) => {
    context.caller.requireStepUp()
    await markMailStopped(db, row.id)
    await note(db, context, row, 'mail-stopped')
  })

export const sendMailsAgain = serveBulk(api.sendMailsAgain, api.sendMailAgain, {
  handle: sendMailAgain,
  input: ({ id }) => ({ body: { id } }),
})

export const stopMails = serveBulk(api.stopMails, api.stopMail, {
  handle: stopMail,
  input: ({ id }) => ({ body: { id } }),
})

/** The row is locked, so that a worker can't start sending until the step is done. */
function act(
  { db, keys, caller, request }: MemberContext,
  id: string,
  obstacleOf: (row: OpenedMail) => Obstacle,
  step: (db: Tx, row: OpenedMail) => Promise<void>,
): Promise<ConsoleMail> {
  return transaction(db, async (db) => {
    const row = await lockConsoleMail(db, id)
    if (!row || !isWithin(scopeOf(caller), row.kind)) throw new Refused('not_found')
    if (!canActOn(caller, row.kind)) throw new Refused('forbidden')
    const obstacle = obstacleOf(row)
    if (obstacle) throw new Refused(obstacle)
    await step(db, row)
    const subjects = await readShownSubjects({ db, keys }, [row])
    return presentMail((await findConsoleMail(db, id))!, request.language, subjects.get(id))
  })
}

const note = (
  db: Tx,
  { caller }: MemberContext,
  row: OpenedMail,
  action: 'mail-sent-again' | 'mail-stopped',
): Promise<void> =>
  recordAudit(db, {
    actorId: caller.memberId,
    action,
    subjectKind: 'mail',
    subjectId: row.id,
    detail: { kind: row.kind, from: row.state },
  })
