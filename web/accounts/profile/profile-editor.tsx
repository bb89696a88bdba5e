import { useState } from 'react'
import { getMember, updateMember, type User } from '#contract/members.ts'
import { call, CallFailed } from '../../call/call.ts'
import { differencesOf } from './differences.ts'
import { ProfileConflict } from './profile-conflict.tsx'
import { fieldsOf, type ProfileFields } from './profile-fields.ts'
import { ProfileForm } from './profile-form.tsx'

type Conflict = { base: ProfileFields; mine: ProfileFields; theirs: User }

/**
 * Edits the profile. Only changed fields are sent, with the version they are based on. If another save came in
 * between, both are shown field by field, so that neither is lost.
 */
export function ProfileEditor({
  user,
  onSaved,
  onCancel,
}: {
  user: User
  onSaved: (user: User) => void
  /** Receives the currently saved profile. */
  onCancel: (latest: User) => void
}) {
  const [latest, setLatest] = useState(user)
  const [draft, setDraft] = useState(fieldsOf(user))
  const [conflict, setConflict] = useState<Conflict>()

  async function save(base: User, given: ProfileFields): Promise<void> {
    const changes = changesOf(fieldsOf(base), given)
    if (Object.keys(changes).length === 0) return onSaved(base)
    try {
      const body = { _id: base.id, lastUpdated: base.lastUpdated, ...changes }
      onSaved(await call(updateMember, { body }))
    } catch (failure) {
      if (!(failure instanceof CallFailed) || failure.code !== 'conflict') throw failure
      await resolve(base, given)
    }
  }

  async function resolve(base: User, mine: ProfileFields): Promise<void> {
    const theirs = await call(getMember, { params: { id: base.id } })
    setLatest(theirs)
    const [before, now] = [fieldsOf(base), fieldsOf(theirs)]
    // It has already been saved, either by this form with a lost response or elsewhere with the same values.
    if (differencesOf(before, mine, now).length === 0) return onSaved(theirs)
    // Something outside the profile changed, such as the password.
    if (Object.keys(changesOf(before, now)).length === 0) return save(theirs, mine)
    setConflict({ base: before, mine, theirs })
  }

  if (conflict)
    return (
      <ProfileConflict
        // A newer saved version requires a new decision.
        key={conflict.theirs.lastUpdated}
        {...conflict}
        onChosen={(chosen) => save(conflict.theirs, chosen)}
        onBack={(chosen) => {
          setDraft(chosen)
          setConflict(undefined)
        }}
        onCancel={() => onCancel(latest)}
      />
    )
  return (
    <ProfileForm draft={draft} onSubmit={(given) => save(latest, given)} onCancel={() => onCancel(latest)} />
  )
}

/** Returns the fields of `given` whose value differs from the saved one. */
export function changesOf<Given extends object>(
  saved: { readonly [Name in keyof Given]?: unknown },
  given: Given,
): Partial<Given> {
  const changed = Object.entries(given).filter(([name, value]) => value !== saved[name as keyof Given])
  return Object.fromEntries(changed) as Partial<Given>
}
