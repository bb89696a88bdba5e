import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { time, timeInput } from '../platform/fields.ts'

/** Maintenance that is on. It lasts until someone turns it off; `until` is only what readers are told. */
export const maintenanceState = z.object({
  since: time,
  until: z.nullable(time),
  /** The administrator who turned it on; null if a command did, or if they have left. */
  by: z.nullable(z.string()),
})
export type Maintenance = z.infer<typeof maintenanceState>

export const setMaintenance = endpoint('POST', 'admin/maintenance', {
  about:
    'Turn maintenance on or off, or change when it is expected to end. While it is on, all instances answer requests that would change something with `maintenance` (503), and background jobs pause. When it ends, its duration is added to running payment deadlines.',
  access: staff('admin'),
  inMaintenance: 'switch',
  body: z.strictObject({ isOn: z.boolean(), until: z.optional(z.nullable(timeInput)) }),
  output: z.object({ maintenance: z.nullable(maintenanceState) }),
  errors: ['step_up_required'],
})
