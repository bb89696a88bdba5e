import { z } from 'zod'
import { isAllSeen } from './is-all-seen.ts'
import { breaks } from './problem.ts'

/** Maximum length of a message. */
const messageLengthMax = 5000

/** One paragraph of text. */
export const messageText = z
  .string()
  .trim()
  .min(1)
  .max(messageLengthMax)
  .refine(isAllSeen, breaks('control_characters'))

/** One message file: flat, full dotted keys, one phrase each. */
export const messageSchema = z.record(
  z.string().refine((key) => /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_-]+)+$/.test(key), breaks('dotted_key')),
  messageText,
)
