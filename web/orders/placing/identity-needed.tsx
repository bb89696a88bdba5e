import { listKycOfMember } from '#contract/kyc.ts'
import { useBrand } from '../../content/brand.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import type { Member } from '../../session/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'

/** Why a member cannot order yet, and where to go. After a final rejection there is nowhere to go. */
export function IdentityNeeded({ member }: { member: Pick<Member, 'id' | 'kyc'> }) {
  const { t } = useMessages()
  const { email } = useBrand()
  const loaded = useLoaded(`${member.id} ${member.kyc}`, async () =>
    member.kyc === 'none' ? [] : call(listKycOfMember, { body: { memberId: member.id } }),
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('orders.place.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  if (loaded.data.some(({ isFinal }) => isFinal))
    return (
      <Message kind="note">
        <p>{t('orders.place.identityFinal', { email })}</p>
      </Message>
    )
  const isInReview = member.kyc === 'submitted' || member.kyc === 'in_review'
  return (
    <Message kind="note">
      <p>{t(isInReview ? 'orders.place.identityInReview' : 'orders.place.identityNeeded')}</p>
      <ButtonLink kind={isInReview ? 'quiet' : 'primary'} href={pathTo('kyc')}>
        {t('orders.place.toIdentity')}
      </ButtonLink>
    </Message>
  )
}
