import { useState } from 'react'
import { useWords } from '../../i18n/words.tsx'
import { page } from '../../layout/page.ts'
import { useSession } from '../../session.ts'
import { Empty } from '../../ui/empty.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { CaseList } from './case-list.tsx'
import { CaseView } from './case-view.tsx'

/** The desk of the officers: a queue, and one case at a time. */
function KycReviewView() {
  const { t } = useWords()
  const { member } = useSession()
  const [openId, setOpenId] = useState<string | null>(null)
  if (member && member.manageFinance < 1) return <Empty title={t('review.forbidden')} />
  return (
    <>
      <PageHead heading={t('review.heading')} lead={t('review.lead')} />
      {member && openId === null && <CaseList onOpen={setOpenId} />}
      {member && openId !== null && (
        <CaseView
          key={openId}
          id={openId}
          officerId={member.id}
          mayDecide={member.manageFinance >= 2}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  )
}

export default page({ View: KycReviewView })
