import { useEffect, useRef, useState } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import type { ContractForm } from '../kernel/forms/use-contract-form.ts'

/**
 * Updates a form when someone else replaces the version it is based on. Unchanged fields take the new value. Fields
 * changed by both keep the value `typed` here or take the one from `there`. Returns the other version once there is
 * one.
 */
export function useRebased<Values extends FieldValues, Output>(
  { form }: ContractForm<Values, Output>,
  version: { id: string | null; values: Values },
  winner: 'typed' | 'there',
): Values | null {
  const base = useRef(version)
  const [other, setOther] = useState<Values | null>(null)
  useEffect(() => {
    if (base.current.id === version.id) return
    const before = base.current.values
    base.current = version
    const typed = form.getValues()
    form.reset(version.values)
    for (const name of Object.keys(version.values) as Path<Values>[]) {
      const isTyped = typed[name] !== before[name]
      const isReplaced = version.values[name] !== before[name]
      if (isTyped && (winner === 'typed' || !isReplaced))
        form.setValue(name, typed[name], { shouldDirty: true })
    }
    setOther(version.values)
  }, [form, version, winner])
  return other
}
