import type { api } from '#contract/api.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { setOpensConsole } from '../members/member.queries.ts'

export const setConsoleStart: Handler<typeof api.setConsoleStart> = async ({ body }, { db, caller }) => {
  await setOpensConsole(db, caller.memberId, body.opensConsole)
  return body
}
