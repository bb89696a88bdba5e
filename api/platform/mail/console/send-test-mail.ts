import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import type { Handler } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { lease, tryMail } from '../deliver-mail.ts'
import { insertClaimedMail, insertMail } from '../mail.queries.ts'
import { failureReasonOf } from '../mail-failure.ts'
import { findMailPause } from '../pause/mail-pause.queries.ts'
import { writeMail } from '../send-mail.ts'
import { limitsOfTrial, openTransport } from '../smtp-transport.ts'
import { findReader } from './console-mail.queries.ts'
import { codeOf } from './present-mail.ts'

/** A normal row of the outbox, but attempted here and only once. */
export const sendTestMail: Handler<typeof api.sendTestMail> = async (_, context) => {
  const { db, keys, config, caller } = context
  await requireWithinLimits(db, keys, [{ key: `test mail ${caller.memberId}`, max: 5, window: 15 * MINUTE }])
  const reader = await findReader(db, caller.memberId)
  const mail = await writeMail(db, keys, reader, { kind: 'test', values: {} })
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'mail-tested',
    subjectKind: 'mail',
    subjectId: mail.id,
  })
  const told = { id: mail.id, to: reader.email, trouble: null, code: null, step: null }
  if (config.smtpUrl === undefined || (await findMailPause(db))) {
    await insertMail(db, mail)
    return { ...told, outcome: 'waiting' as const }
  }
  const claimed = await insertClaimedMail(db, mail, lease)
  const transport = openTransport(config.smtpUrl, limitsOfTrial)
  const failure = await tryMail(context, claimed, { transport, waits: [] })
  transport.close()
  if (!failure) return { ...told, outcome: 'sent' as const }
  return {
    ...told,
    outcome: 'failed' as const,
    trouble: failureReasonOf(failure),
    code: codeOf(failure),
    step: failure.step ?? null,
  }
}
