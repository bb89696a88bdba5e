import { staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { refusedField } from '../../platform/refused.ts'

/** In code points, as NIST SP 800-63B counts. */
const lengthOf = (password: string): number => [...password].length

export const isLengthOkForStaff = (password: string): boolean => lengthOf(password) >= staffPasswordLengthMin

/** The minimum of the installation, which may be above the contract's, or that of staff. */
export function requirePasswordLength(password: string, min: number, path: string): void {
  if (lengthOf(password) < min) throw refusedField(path, 'too_short', { min })
}
