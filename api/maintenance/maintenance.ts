import { collectHandlers, type Module } from '../platform/module.ts'
import * as maintenanceHandlers from './maintenance-handlers.ts'

/** Read-only mode for maintenance, which administrators switch in the console or with a command. */
export const maintenance = {
  calls: collectHandlers(maintenanceHandlers),
  personal: { columns: { maintenance: { started_by: 'remains' } } },
} satisfies Module
