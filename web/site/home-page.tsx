import type { MessageKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { pathTo } from '../routes.ts'
import { Hero } from './hero.tsx'
import styles from './reading.module.css'

const sections: readonly { heading: MessageKey; texts: readonly MessageKey[] }[] = [
  {
    heading: 'home.overview.heading',
    texts: ['home.overview.paragraph1', 'home.overview.paragraph2', 'home.overview.paragraph3'],
  },
  {
    heading: 'home.problem.heading',
    texts: ['home.problem.item1.text', 'home.problem.item2.text', 'home.problem.item3.text'],
  },
  {
    heading: 'home.solution.heading',
    texts: ['home.solution.item1.text', 'home.solution.item2.text', 'home.solution.item3.text'],
  },
]

function HomeView() {
  const { t } = useWords()
  return (
    <>
      <Hero title={t('home.hero.title')} lead={t('home.hero.lead')}>
        <p>
          <a href={pathTo('project')}>{t('home.hero.project')}</a>
        </p>
      </Hero>
      <div className={styles.reading}>
        {sections.map(({ heading, texts }) => (
          <section key={heading}>
            <h2>{t(heading)}</h2>
            <div>
              {texts.map((text) => (
                <p key={text}>{t(text)}</p>
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  )
}

export default page({ View: HomeView })
