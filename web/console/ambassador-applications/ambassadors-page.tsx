import { applicationsPage } from './applications.tsx'

export default applicationsPage('console.ambassadors')
