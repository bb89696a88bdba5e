import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'

export const checkHealth: Handler<typeof api.checkHealth> = async () => ({ status: 'ok' })
