import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Download, Handler } from '../../platform/http/handler.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { partsOf, type Module, type Source, type Part, type PartName } from '../../platform/module.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { resetRequestLink } from '../../platform/site-links.ts'
import { partNames } from './archive-words.ts'
import { zipArchive } from './zip-archive.ts'
import { Readable } from 'node:stream'

/** All stored data about a member except secrets and private notes of staff, read page by page. */
export function makeExport(modules: readonly Module[]): Handler<typeof api.exportMember> {
  const parts = partsOf(modules, partNames)
  const attachments = modules.flatMap(({ personal }) => personal?.attachments ?? [])

  /** Audit entry and notice are written before the response starts, because it can't be revoked afterwards. */
  return async ({ query }, { db, keys, files, config, caller, request }) => {
    caller.requireStepUp()
    await requireWithinLimits(db, keys, [{ key: `export ${caller.memberId}`, max: 10, window: HOUR }])
    const member = await getMemberById(db, caller.memberId)
    await transaction(db, async (db) => {
      await recordAudit(db, {
        actorId: member.id,
        action: 'member-exported',
        subjectKind: 'member',
        subjectId: member.id,
      })
      await sendMail(db, keys, member, 'data-exported', { resetLink: resetRequestLink(config) })
    })
    const reader = { db, keys, files, config, member, hasSecondFactor: caller.hasSecondFactor }
    const format = query.format ?? (request.accept?.includes('application/zip') ? 'zip' : 'json')
    if (format === 'zip')
      return {
        contentType: 'application/zip',
        ...(await zipArchive(reader, parts, attachments)),
      } satisfies Download
    const source: Source = {
      ...reader,
      isArchive: false,
      show: async ({ contentType, read }) => {
        const bytes = await read()
        return bytes ? `data:${contentType};base64,${bytes.toString('base64')}` : null
      },
    }
    return {
      contentType: 'application/json; charset=utf-8',
      stream: jsonExport(parts, source),
    } satisfies Download
  }
}

/** Streams one object with all parts: only one page of rows, or the pictures of one entry, are in memory at a time. */
export const jsonExport = (parts: readonly [PartName, Part][], source: Source): Readable =>
  Readable.from(jsonOf(parts, source))

async function* jsonOf(parts: readonly [PartName, Part][], source: Source): AsyncIterable<string> {
  yield `{"exportedAt":${JSON.stringify(new Date())}`
  for (const [name, { isList, read }] of parts) {
    let count = 0
    if (isList) yield `,"${name}":[`
    for await (const entry of read(source)) {
      if (isList) yield `${count > 0 ? ',' : ''}${JSON.stringify(entry)}`
      else if (count === 0) yield `,"${name}":${JSON.stringify(entry)}`
      count += 1
    }
    if (isList) yield ']'
  }
  yield '}'
}
